/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages on standard error while the terminal shows a table. */
#ifndef PERF_SPE_TUI_ERRORS_H
#define PERF_SPE_TUI_ERRORS_H

/* Keep what is written to standard error from now on. */
void tui_errors_begin(void);
/* The last line that was written since the last call, to be freed, or NULL */
char *tui_errors_take(void);
/* Give standard error back, and print there the lines that no call returned. */
void tui_errors_end(void);

#endif
