/* tmp.h - a folder that a test may fill. */
#ifndef TESTS_LIB_TMP_H
#define TESTS_LIB_TMP_H

#include <stddef.h>

/* Makes an empty folder and stores its absolute path. */
void test_tmp_make(char *path, size_t size);
/* Removes the folder with everything in it. */
void test_tmp_remove(const char *path);

#endif
