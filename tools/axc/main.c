/* main.c - axc: checks, compiles, formats and draws workflow files. Opens no database and no socket. */
#include "tools/axc/axc.h"

int main(int argc, char **argv)
{
    return ax_cli_main(&ax_axc, argc, argv);
}
