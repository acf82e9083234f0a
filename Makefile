# AX: the compiler axc, the runtime ax, and their tests. `make help` lists the targets.
#
# Everything that is built goes to $(B) (default: build). Modes live beside each other in $(B)/obj/MODE:
#   release   what users get: -O2, asserts on           -> $(B)/axc $(B)/ax $(B)/ax-spawner
#   debug     for a debugger: -O0                       -> $(B)/debug/axc ...
#   asan      AddressSanitizer and UBSan; the tests -> $(B)/asan/axc ... $(B)/asan/tests/...
#   coverage  counts branches for `make coverage`
#   fuzz      clang's libFuzzer for `make fuzz`
# MODE= selects what `make all` builds, TEST_MODE= what the tests run; V=1 shows the commands.
# ONLY="dsl/base dsl/model" leaves other folders out of the libraries and tests, and the programs, while
# these do not compile.

B ?= build
ifeq ($(strip $(B)),)
$(error B= names no folder)
endif
MODE ?= release
TEST_MODE ?= asan
PREFIX ?= /usr/local
SECONDS ?= 20
ifeq ($(origin CC),default)
CC := gcc
endif
CLANG ?= clang

ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

MODES := release debug asan coverage fuzz

# Before a command: says what it makes, unless V=1 shows the command itself.
say = $(if $(V),,@printf '  %-6s%s\n' $(1) $(2);)

# ----------------------------------------------------------------------------------------------------- flags

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
        -Wswitch-enum -Werror
CFLAGS ?=
LDFLAGS ?=
STD_CFLAGS := -std=c11 -D_GNU_SOURCE -I. -I$(B)/gen -MMD -MP

release_CFLAGS  := -O2 -g
debug_CFLAGS    := -O0 -g3
asan_CFLAGS     := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
coverage_CFLAGS := -O0 -g --coverage
fuzz_CFLAGS     := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
asan_LDFLAGS     := -fsanitize=address,undefined
coverage_LDFLAGS := --coverage
fuzz_LDFLAGS     := -fsanitize=fuzzer,address,undefined
$(foreach m,release debug asan coverage,$(eval $(m)_CC = $$(CC)))
fuzz_CC = $(CLANG)

# Libraries. Expanded on first use, inside a recipe, when `deps` has run; then remembered.
PACKAGES := sqlite3 jansson libgvc libcgraph yaml-0.1 libcrypto
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PACKAGES)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs $(PACKAGES)))$(PKG_LIBS)
# Graphviz' layout and SVG output are plugins; they are linked, so that no plugin registry or font is needed.
GV_DIR = $(eval GV_DIR := $$(shell pkg-config --variable=libdir libgvc)/graphviz)$(GV_DIR)
GV_LIBS = -L$(GV_DIR) -Wl,-rpath,$(GV_DIR) -lgvplugin_core -lgvplugin_dot_layout
LIBS = -Wl,--as-needed $(GV_LIBS) $(PKG_LIBS) -lm -lpthread

# --------------------------------------------------------------------------------------------------- sources

AXC_LIB_SRC := $(wildcard dsl/*/*.c compiler/*.c compiler/*/*.c)
AXRUN_LIB_SRC := $(wildcard $(patsubst %,runtime/%/*.c,core store exec sched admin))
ifdef ONLY
AXC_LIB_SRC := $(filter $(ONLY:%=%/%),$(AXC_LIB_SRC))
AXRUN_LIB_SRC := $(filter $(ONLY:%=%/%),$(AXRUN_LIB_SRC))
endif
CLI_SRC := $(wildcard tools/cli/*.c)
AXC_SRC := $(wildcard tools/axc/*.c)
AX_SRC := $(wildcard tools/ax/*.c)
SPAWNER_SRC := $(wildcard runtime/exec/spawner/*.c)
TEST_LIB_SRC := $(wildcard tests/lib/*.c)
TEST_DIRS := $(if $(ONLY),$(ONLY:%=tests/unit/%),tests/unit tests/store tests/crash)
TEST_SRC := $(sort $(shell find $(TEST_DIRS) -name 'test_*.c' 2>/dev/null))
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)

# Generated C, relative to $(B)/gen: scanner, grammar, embedded files.
GEN_SYNTAX := $(patsubst %.l,%.c,$(patsubst %.y,%.c,$(wildcard dsl/syntax/scan.l dsl/syntax/gram.y)))
ifdef ONLY
GEN_SYNTAX := $(if $(filter dsl/syntax,$(ONLY)),$(GEN_SYNTAX))
endif
GEN_H := $(if $(filter %/scan.c,$(GEN_SYNTAX)),$(B)/gen/dsl/syntax/scan_lex.h) \
         $(if $(filter %/gram.c,$(GEN_SYNTAX)),$(B)/gen/dsl/syntax/gram.h)
SQL_FILES := $(sort $(wildcard runtime/store/sql/*.sql))
ERROR_PAGES := $(sort $(wildcard docs/errors/*.md))

PROGRAMS := $(if $(ONLY),,$(if $(AXC_SRC),axc) $(if $(AX_SRC),ax) $(if $(SPAWNER_SRC),ax-spawner))

# Manual pages and completion come from the tables of commands, so the programs write them.
MANUALS := $(patsubst %,$(B)/man/%.1,$(filter axc ax,$(PROGRAMS)))
COMPLETIONS := $(patsubst %,$(B)/completion/%,$(filter axc ax,$(PROGRAMS)))
MAN_DIR := share/man/man1
COMPLETION_DIR := share/bash-completion/completions

# Folder of a mode's programs: $(B) for release, $(B)/MODE for the others.
bin_dir = $(B)$(if $(filter-out release,$(1)),/$(1))
test_bins = $(TEST_SRC:%.c=$(B)/$(1)/%)

# --------------------------------------------------------------------------------------------------- targets

.PHONY: all deps deps-test deps-analysis quickstart check check-long check-editors bless bench tidy \
        tidy-deep format fuzz fuzz-short coverage test-programs install clean help FORCE

all: $(PROGRAMS:%=$(call bin_dir,$(MODE))/%) ## build axc, ax and ax-spawner (MODE=release|debug|asan)

deps: ## install what the build needs from Debian, if something is missing
	@tools/dev/deps.sh build
deps-test: ## the same for the tests
	@tools/dev/deps.sh build test
deps-analysis: ## the same for tidy-deep, fuzz and coverage
	@tools/dev/deps.sh build test analysis

quickstart: all ## from bare to a first workflow: checked, drawn, run
	@B=$(call bin_dir,$(MODE)) tools/dev/quickstart.sh

test-programs: $(call test_bins,$(TEST_MODE)) $(PROGRAMS:%=$(call bin_dir,$(TEST_MODE))/%)
check: deps-test ## build, house rules, all tests; ends with "N passed, N failed"
	+@B=$(B) TEST_MODE=$(TEST_MODE) ONLY='$(ONLY)' MAKE='$(MAKE)' tools/dev/check.py
check-long: deps-analysis ## check, with more seeds and kills, and every fuzz target for a while
	+@B=$(B) TEST_MODE=$(TEST_MODE) MAKE='$(MAKE)' AX_LONG=1 tools/dev/check.py
	+@$(MAKE) --no-print-directory check-editors
	+@$(MAKE) --no-print-directory fuzz-short SECONDS=60
check-editors: all ## highlighting and clients, with Vim, Neovim and VS Code's own test tools
	@tools/dev/deps.sh build test editors
	@B=$(call bin_dir,$(MODE)) tools/editors/check.sh
bless: deps-test ## write the golden files anew from what the programs do now
	+@$(MAKE) --no-print-directory test-programs
	@B=$(B) BIN=$(call bin_dir,$(TEST_MODE)) tests/golden/run.py --bless
	@AX_BLESS=1 $(B)/$(TEST_MODE)/tests/unit/runtime/core/test_fsm
bench: deps-test all ## measure, beside other tools on the same work
	@tests/bench/bench.py --build $(call bin_dir,$(MODE))
	@tests/bench/bench_lsp.py $(call bin_dir,$(MODE))/axc
tidy: deps-test ## house rules: layers, sizes, banned calls, generated pages
	@tools/dev/tidy
tidy-deep: deps-analysis $(GEN_H) ## clang-tidy over the tree: slow, and advice only
	@printf '%s\n' $(AXC_LIB_SRC) $(AXRUN_LIB_SRC) $(CLI_SRC) $(AXC_SRC) $(AX_SRC) $(SPAWNER_SRC) | \
	    xargs -P2 -n8 sh -c 'clang-tidy --quiet "$$@" -- $(STD_CFLAGS) $(PKG_CFLAGS) 2>&1' sh | \
	    grep -v 'warnings generated'
format: deps-analysis ## rewrite the C files in the house format
	@find dsl compiler runtime tools tests -name '*.[ch]' | xargs clang-format -i

fuzz: deps-analysis ## build the fuzz targets
	+@$(MAKE) --no-print-directory $(FUZZ_SRC:tests/fuzz/%.c=$(B)/fuzz/%)
fuzz-short: fuzz ## run each fuzz target for SECONDS= over its corpus
	@B=$(B) tools/dev/fuzz.sh $(SECONDS) $(FUZZ_SRC:tests/fuzz/%.c=%)
coverage: deps-analysis ## run all tests counting branches; report in $(B)/coverage/report
	@find $(B)/obj/coverage -name '*.gcda' -delete 2>/dev/null || true
	+@B=$(B) TEST_MODE=coverage MAKE='$(MAKE)' tools/dev/check.py
	@B=$(B) tools/dev/coverage.sh

install: all $(MANUALS) $(COMPLETIONS) ## install under PREFIX= (default /usr/local; DESTDIR= is honoured)
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin $(MAN_DIR) $(COMPLETION_DIR))
	install -m 755 $(PROGRAMS:%=$(call bin_dir,$(MODE))/%) $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(MANUALS) $(DESTDIR)$(PREFIX)/$(MAN_DIR)
	install -m 644 $(COMPLETIONS) $(DESTDIR)$(PREFIX)/$(COMPLETION_DIR)
clean: ## remove the build folder
	rm -rf $(B)
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# ----------------------------------------------------------------------------------------------------- rules

# The compilers and libraries are there: probed once for a build folder, or when the list changed.
DEPS := $(B)/.deps
$(DEPS): tools/dev/deps.sh
	@tools/dev/deps.sh build
	@mkdir -p $(@D) && touch $@

$(B)/gen/dsl/syntax/scan.c $(B)/gen/dsl/syntax/scan_lex.h &: dsl/syntax/scan.l | $(DEPS)
	@mkdir -p $(B)/gen/dsl/syntax
	$(call say,FLEX,$<)flex -o $(B)/gen/dsl/syntax/scan.c --header-file=$(B)/gen/dsl/syntax/scan_lex.h $<
$(B)/gen/dsl/syntax/gram.c $(B)/gen/dsl/syntax/gram.h &: dsl/syntax/gram.y | $(DEPS)
	@mkdir -p $(B)/gen/dsl/syntax
	$(call say,BISON,$<)bison -Wall -Werror -o $(B)/gen/dsl/syntax/gram.c --header=$(B)/gen/dsl/syntax/gram.h $<

# A list file changes only when the set of its names does, so that an added or removed file is noticed.
define LIST_FILE
$(1): FORCE
	@mkdir -p $$(@D); echo '$(strip $(2))' | cmp -s - $$@ || echo '$(strip $(2))' >$$@
endef
$(eval $(call LIST_FILE,$(B)/gen/embed/sql.list,$(SQL_FILES)))
$(eval $(call LIST_FILE,$(B)/gen/embed/errors.list,$(ERROR_PAGES)))
$(B)/gen/embed/sql.c: $(B)/gen/embed/sql.list $(SQL_FILES) tools/dev/embed.sh
	$(call say,EMBED,$@)tools/dev/embed.sh ax_embed_sql $(SQL_FILES) >$@
$(B)/gen/embed/errors.c: $(B)/gen/embed/errors.list $(ERROR_PAGES) tools/dev/embed.sh
	$(call say,EMBED,$@)tools/dev/embed.sh ax_embed_errors $(ERROR_PAGES) >$@

# All rules of one mode, $(1).
define MODE_RULES
$(1)_AXC_LIB := $$(patsubst %.c,$(B)/obj/$(1)/%.o,$(AXC_LIB_SRC) $(GEN_SYNTAX:%=gen/%) gen/embed/errors.c)
$(1)_AXRUN_LIB := $$(patsubst %.c,$(B)/obj/$(1)/%.o,$(AXRUN_LIB_SRC) gen/embed/sql.c)
$(1)_TEST_LIB := $$(patsubst %.c,$(B)/obj/$(1)/%.o,$(TEST_LIB_SRC))
$(1)_LIBS := $(B)/obj/$(1)/libaxrun.a $(B)/obj/$(1)/libaxc.a

$$(eval $$(call LIST_FILE,$(B)/obj/$(1)/flags,$$($(1)_CC) $(STD_CFLAGS) $(WARN) $$($(1)_CFLAGS) $(CFLAGS)))
$$(eval $$(call LIST_FILE,$(B)/obj/$(1)/libaxc.list,$$($(1)_AXC_LIB)))
$$(eval $$(call LIST_FILE,$(B)/obj/$(1)/libaxrun.list,$$($(1)_AXRUN_LIB)))

$(B)/obj/$(1)/gen/%.o: $(B)/gen/%.c $(B)/obj/$(1)/flags | $(GEN_H) $(DEPS)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)$$($(1)_CC) $(STD_CFLAGS) $$(PKG_CFLAGS) -w $$($(1)_CFLAGS) $(CFLAGS) -c -o $$@ $$<
$(B)/obj/$(1)/%.o: %.c $(B)/obj/$(1)/flags | $(GEN_H) $(DEPS)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)$$($(1)_CC) $(STD_CFLAGS) $$(PKG_CFLAGS) $(WARN) $$($(1)_CFLAGS) $(CFLAGS) -c -o $$@ $$<

$(B)/obj/$(1)/libaxc.a: $$($(1)_AXC_LIB) $(B)/obj/$(1)/libaxc.list
	@rm -f $$@; ar qcs $$@ $$($(1)_AXC_LIB)
$(B)/obj/$(1)/libaxrun.a: $$($(1)_AXRUN_LIB) $(B)/obj/$(1)/libaxrun.list
	@rm -f $$@; ar qcs $$@ $$($(1)_AXRUN_LIB)
$(B)/obj/$(1)/libaxtest.a: $$($(1)_TEST_LIB)
	@rm -f $$@; ar qcs $$@ $$($(1)_TEST_LIB)

$(call bin_dir,$(1))/axc: $$(patsubst %.c,$(B)/obj/$(1)/%.o,$(AXC_SRC) $(CLI_SRC)) $$($(1)_LIBS)
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$$($(1)_CC) $$($(1)_LDFLAGS) $(LDFLAGS) -o $$@ $$^ $$(LIBS)
$(call bin_dir,$(1))/ax: $$(patsubst %.c,$(B)/obj/$(1)/%.o,$(AX_SRC) $(CLI_SRC)) $$($(1)_LIBS)
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$$($(1)_CC) $$($(1)_LDFLAGS) $(LDFLAGS) -o $$@ $$^ $$(LIBS)
# What a test of tools/ needs beside the libraries: the command line and axc's commands, without its main.
$(1)_TOOLS := $$(patsubst %.c,$(B)/obj/$(1)/%.o,$(CLI_SRC) $(filter-out %/main.c,$(AXC_SRC)))
$(B)/obj/$(1)/libaxtools.a: $$($(1)_TOOLS)
	@rm -f $$@; ar qcs $$@ $$($(1)_TOOLS)
$(B)/$(1)/tests/unit/tools/%: $(B)/obj/$(1)/tests/unit/tools/%.o $(B)/obj/$(1)/libaxtest.a \
        $(B)/obj/$(1)/libaxtools.a $$($(1)_LIBS)
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$$($(1)_CC) $$($(1)_LDFLAGS) $(LDFLAGS) -o $$@ $$^ -lcmocka $$(LIBS)
$(B)/$(1)/tests/%: $(B)/obj/$(1)/tests/%.o $(B)/obj/$(1)/libaxtest.a $$($(1)_LIBS)
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$$($(1)_CC) $$($(1)_LDFLAGS) $(LDFLAGS) -o $$@ $$^ -lcmocka $$(LIBS)
endef
$(foreach m,$(MODES),$(eval $(call MODE_RULES,$(m))))

$(B)/fuzz/fuzz_%: $(B)/obj/fuzz/tests/fuzz/fuzz_%.o $(fuzz_LIBS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CLANG) $(fuzz_LDFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# The spawner is one small static program in all modes: it forks a keeper per task, and forks are cheap only
# when the process is small.
SPAWNER_OBJ := $(SPAWNER_SRC:%.c=$(B)/obj/spawner/%.o)
$(B)/obj/spawner/%.o: %.c $(B)/obj/release/flags | $(DEPS)
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(STD_CFLAGS) $(WARN) -O2 -g $(CFLAGS) -c -o $@ $<
$(B)/ax-spawner: $(SPAWNER_OBJ)
	$(call say,LINK,$@)$(CC) -static $(LDFLAGS) -o $@ $^
$(foreach m,$(filter-out release,$(MODES)),$(B)/$(m)/ax-spawner): $(B)/ax-spawner
	@mkdir -p $(@D)
	@cp -f $< $@

$(B)/man/%.1: $(call bin_dir,$(MODE))/%
	@mkdir -p $(@D)
	$< help --man >$@
$(B)/completion/%: $(call bin_dir,$(MODE))/%
	@mkdir -p $(@D)
	$< help --bash >$@

FORCE:
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
