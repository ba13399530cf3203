/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_OUTPUT_TUI_TUI_H
#define PERF_SPE_OUTPUT_TUI_TUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/callers/callers.h"
#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "output/text/text.h"
#include "util/util.h"

/*
 * browse_levels.c: What is on the terminal, and the ways into a row of a table and back. Each
 * level
 * keeps the samples of one row of the table before, by a filter.
 */

/* What the user came from, to go back to */
struct browse_level {
	struct tally by;		/* only its columns */
	struct columns columns;		/* of --columns, as they were */
	char *filter;
	size_t row;
};

struct browse {
	const char *verb, *what;	/* for the title */
	const char *no_stacks;		/* what to do if there are no call stacks */
	struct rows *rows;		/* symbols are read */
	struct view *view;		/* collects samples */
	struct view *shown;		/* the same, or top's last table */
	struct listing *inside;		/* the function shown instead, or NULL */
	struct calls_view *calls;	/* its callers or callees shown instead, or NULL */
	bool of_code;			/* they are shown instead of @inside, to which the user goes back */
	char *text;			/* of another verb, shown instead, or NULL */
	const char *text_verb;
	char *where, *object;		/* the function's name, and its file or NULL */
	bool hinted;			/* the rows' hints are those of calls */
	bool helping;
	size_t help_row;		/* the row that was selected before the help */
	char *refused;			/* what the user typed last, if it was wrong; or NULL */
	size_t group;			/* index of the current grouping */
	char *filter;			/* the text of rows->filter, or NULL */
	struct browse_level *levels;
	size_t nr_levels, room_levels;
	size_t row;			/* to select, or TUI_KEEP */
	char *hint;			/* why the rows have no names, not shown yet; or NULL */
	bool entered;			/* the function's hottest row is not known yet */
};

enum browse_act {
	BROWSE_NOTHING,
	BROWSE_SHOW,		/* call browse_show() */
	BROWSE_SAMPLES,		/* read the samples again */
	BROWSE_QUIT,
};

/* Show why the rows have no names, if the user just went into such a row. */
void browse_hint(struct browse *b);
/* Filter by @text, which is taken, or NULL for no filter; false after a message. */
bool browse_filter(struct browse *b, char *text);
/*
 * Parse a list of columns, "" for symbols; false after a message.  Events are kept
 * if there are columns.
 */
bool browse_parse_by(const struct browse *b, const char *list,
		     struct tally *by);
/* Group by other columns: the samples must be read again. */
void browse_regroup(struct browse *b, const struct tally *by);

/* Into the selected row: its function, or what else its samples differ in */
enum browse_act browse_enter(struct browse *b);
/* Into the tree of calls of the selected row, or of the function that is shown */
enum browse_act browse_enter_calls(struct browse *b);
/* Show what @verb prints for the selected row, or for all rows if the row has no such thing. */
enum browse_act browse_enter_verb(struct browse *b, const char *verb);
/* Back to the level before; there must be one. */
enum browse_act browse_ascend(struct browse *b);
/* Drop the function or the tree that is shown, if any. */
void browse_leave(struct browse *b);

/*
 * browse.c: A view on the terminal.  Keys (browse_keys.c) change its order, columns and filter, or
 * lead into a row: to the code of its function, or to what else its samples differ in.
 */

struct grid;

/* Call this first, with the filter that rows->filter was parsed from, or NULL. */
void browse_begin(struct browse *b, const char *filter);
/* A row_fn that adds to the view, or to the function that is shown */
void browse_add(void *browse, const struct row_batch *batch);
/* Takes rows for it. */
extern const struct row_taker browse_taker;
/* All samples were added. */
void browse_finish(struct browse *b);
void browse_show(struct browse *b);
/* Fill @g with what is shown, but for the help. */
void browse_grid(struct browse *b, struct grid *g);
/* Callers are others from the next row on: see rows_restack(). */
void browse_forget_callers(struct browse *b);
/* Forget all samples: the caller reads them again. */
void browse_restart(struct browse *b);
void browse_end(struct browse *b);

/* verb_text.c: What another verb prints of the same recording */

/* The text, to be freed; empty after a message.  @filter may be NULL; @arguments are the verb's own. */
char *verb_text(const struct rows *r, const char *verb, const char *filter,
		const struct args *arguments);

/* browse_keys.c: What each key does in a view on the terminal; the help in browse.c lists them. */

/* Act on @key of the user, and return what is left to do. */
enum browse_act browse_key(struct browse *b, int key);

/*
 * calls_view.c: One function's callers, or what it called, as the rows of a grid: a tree whose
 * nodes the user
 * expands and collapses.
 */

struct calls_view;

/* The callers of @symbol in the objects whose name contains @object (NULL: any) */
struct calls_view *calls_view_new(const char *symbol, const char *object);
/*
 * A row_fn, of rows with their stack.  Nothing else may use the rows' hints between
 * calls_view_restart() and the last row.
 */
void calls_view_add(struct calls_view *v, const struct row_batch *b);
/* Show the samples that were added since calls_view_restart(). */
void calls_view_finish(struct calls_view *v);
/* Drop the samples; the tree that is shown stays until calls_view_finish(). */
void calls_view_restart(struct calls_view *v);
/* See call_tree_forget_callers(). */
void calls_view_forget_callers(struct calls_view *v);
/* Fill @g, which is empty, with what calls_view_finish() got. */
void calls_view_grid(struct calls_view *v, struct grid *g);
/* Expand or collapse the node in this row of the grid; false if nothing is below it. */
bool calls_view_toggle(struct calls_view *v, size_t row);
/* Expand all below this row, or collapse it if it is expanded. */
void calls_view_toggle_all(struct calls_view *v, size_t row);
/* From callers to callees and back: the samples must be read again. */
void calls_view_turn(struct calls_view *v);
/* The function whose calls they are */
const char *calls_view_symbol(const struct calls_view *v);
void calls_view_free(struct calls_view *v);

/*
 * tui.c: A grid on the terminal with a selected row, and keys.  State is global, because
 * there is one terminal.  Only this module and tui_page.c use ncurses.
 */

/* Whether output goes to a terminal and perf-spe was built with ncurses */
bool tui_possible(void);
/*
 * Take over the terminal; false after a message if its type is unknown.  Messages
 * on standard error appear in the last line.  tui_end() prints those that did not.
 */
bool tui_begin(void);
void tui_end(void);

#define TUI_KEEP	SIZE_MAX	/* the row that was selected before */
/*
 * Show @grid, which is emptied, below @title, with @keys in the last line and @row
 * selected.  The screen shows whole columns; the key "right" moves to the next.
 */
void tui_show(const char *title, struct grid *grid, const char *keys,
	      size_t row);
/* Show a message in the last line until the next key. */
void tui_say(const char *text);
/* Move so that the first column with this id is on the screen. */
void tui_reveal(int id);

/* The selected row, counted from 0 after the headings */
size_t tui_row(void);

#define TUI_NOTHING	0	/* no key, or only movements */
#define TUI_ENTER	'\n'
#define TUI_LEFT	-2	/* the terminal is gone */
/*
 * The next key that is neither a movement nor a search.  With @wait wait for it;
 * otherwise return TUI_NOTHING if none was typed.
 */
int tui_key(bool wait);
/* Let the user edit @text, at most @size - 1 characters; false if cancelled. */
bool tui_ask(const char *prompt, char *text, size_t size);

/* tui_errors.c: Messages on standard error while the terminal shows a table. */

/* Keep what is written to standard error from now on. */
void tui_errors_begin(void);
/* The last line that was written since the last call, to be freed, or NULL */
char *tui_errors_take(void);
/* The last message, without its prefix, if it is a list; NULL: none, and none is taken */
char *tui_errors_take_list(void);
/* Give standard error back, and print there the lines that no call returned. */
void tui_errors_end(void);

/* tui_page.c: What tui.c shows: a grid between a title and a line of keys, drawn by ncurses. */

#define PAGE_KEEP	SIZE_MAX	/* the row that was selected before */

/* Show @grid, which is emptied, from the next page_draw() on. */
void page_set(const char *title, struct grid *grid, const char *keys, size_t row);
/* Show a message instead of the keys; "" shows the keys again. */
void page_message(const char *text);
void page_draw(void);
void page_free(void);

size_t page_row(void);
size_t page_rows(void);
/* How many rows the screen shows */
size_t page_height(void);

/* All of these change what the next page_draw() draws; page_reveal() draws. */
void page_move(size_t rows, bool down);
void page_right(void);
void page_left(void);
/* Select the row in line @y of the screen. */
void page_click(int y);
/* Select the next row that has the text, around the ends, or set a message. */
void page_seek(const char *text, bool forward);
/* Scroll to the first column with this id. */
void page_reveal(int id);
/* Draw the rows that cost most in colours, which the terminal must have. */
void page_colours(void);

#endif
