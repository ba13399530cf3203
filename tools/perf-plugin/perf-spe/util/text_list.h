/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists in a text: "A, B".  NULL is an empty list. */
#ifndef PERF_SPE_TEXT_LIST_H
#define PERF_SPE_TEXT_LIST_H

/* @list, which is freed, with one more text, unless it has it or @text is NULL */
char *text_list_add(char *list, const char *text);
/* The same; frees @text. */
char *text_list_take(char *list, char *text);

#endif
