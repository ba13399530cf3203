// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/filter.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "util/util.h"

/* The deepest nesting of brackets and "not", which bounds the recursion */
#define DEPTH_MAX 64
#define BAD SIZE_MAX

struct parser {
	struct filter *f;
	const char *where, *at;
	unsigned int depth;
};

static size_t bad(const struct parser *p, const char *why)
{
	if (*p->at)
		say("%s: cannot parse at '%.40s': %s", p->where, p->at, why);
	else
		say("%s: cannot parse at the end: %s", p->where, why);
	return BAD;
}

static size_t add(struct parser *p, struct node node)
{
	struct filter *f = p->f;

	f->nodes = array_grow(f->nodes, f->nr_nodes, &f->room_nodes,
			      sizeof(*f->nodes));
	f->nodes[f->nr_nodes] = node;
	return f->nr_nodes++;
}

static void skip_blanks(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_-.+/[]:$@*?%,|", c));
}

static size_t word_len(const char *at)
{
	size_t len = 0;

	/* "||" ends a word.  A single bar is part of a list such as "a|b". */
	while (is_word(at[len]) && !(at[len] == '|' && at[len + 1] == '|'))
		len++;
	return len;
}

/* Skip @word or @sign if the text continues with it. */
static bool accept(struct parser *p, const char *word, const char *sign)
{
	skip_blanks(p);
	if (sign && !strncmp(p->at, sign, strlen(sign))) {
		p->at += strlen(sign);
		return true;
	}
	if (word && word_len(p->at) == strlen(word) &&
	    !strncmp(p->at, word, strlen(word))) {
		p->at += strlen(word);
		return true;
	}
	return false;
}

/* Parse a word or a quoted text; NULL after a message. */
static char *parse_value(struct parser *p)
{
	const char *end;
	char *value, quote;
	size_t len;

	skip_blanks(p);
	quote = *p->at;
	if (quote == '"' || quote == '\'') {
		end = strchr(p->at + 1, quote);
		if (!end) {
			bad(p, "a quote is not closed: add it");
			return NULL;
		}
		value = xstrndup(p->at + 1, (size_t)(end - p->at) - 1);
		p->at = end + 1;
		return value;
	}
	len = word_len(p->at);
	if (!len) {
		bad(p, "a value is missing: add a number or a word");
		return NULL;
	}
	value = xstrndup(p->at, len);
	p->at += len;
	return value;
}

/* Operators of other languages, and what to write instead */
static const struct {
	const char *text, *advice;
} foreign[] = {
	{ "===", "did you mean '=='?" }, { "=~", "did you mean '~', which finds a part of a text?" },
	{ "!~", "write 'not' before the column, and '~'" },
	{ "=>", "did you mean '>='?" }, { "=<", "did you mean '<='?" },
	{ "<>", "did you mean '!='?" }, { "=", "did you mean '=='?" },
	{ "&", "did you mean 'and'? 'has' finds a name in a list" },
	{ "|", "did you mean 'or'?" }, { "AND", "did you mean 'and'?" }, { "OR", "did you mean 'or'?" },
	{ "is", "did you mean '=='?" },
	{ "contains", "did you mean '~', or 'has' for a name in a list?" },
	{ "in", "compare with each value, and join the comparisons by 'or'" },
};

/* The advice if the text continues with an operator of another language, or NULL */
static const char *foreign_advice(struct parser *p)
{
	size_t i, len;

	skip_blanks(p);
	len = strspn(p->at, "=!<>~&|");
	if (!len)
		len = word_len(p->at);
	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (len == strlen(foreign[i].text) && !strncmp(p->at, foreign[i].text, len))
			return foreign[i].advice;
	return NULL;
}

static bool parse_operator(struct parser *p, enum node_kind *kind)
{
	static const struct {
		const char *word, *sign;
		enum node_kind kind;
	} operators[] = {
		{ NULL, "==", NODE_EQ }, { NULL, "!=", NODE_NE },
		{ NULL, "<=", NODE_LE }, { NULL, ">=", NODE_GE },
		{ NULL, "<", NODE_LT }, { NULL, ">", NODE_GT },
		{ NULL, "~", NODE_PART }, { "ends", NULL, NODE_END }, { "like", NULL, NODE_LIKE },
		{ "has", NULL, NODE_HAS },
	};
	size_t i;

	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (accept(p, operators[i].word, operators[i].sign)) {
			*kind = operators[i].kind;
			return true;
		}
	}
	return false;
}

/* Convert @value, which the user wrote in quotes or not, to the kind of the node's column. */
static bool take_value(const struct parser *p, struct node *node, char *value, bool quoted)
{
	bool text = node->field->kind == FIELD_TEXT;
	bool equal = node->kind == NODE_EQ || node->kind == NODE_NE;

	if (text ? (node->kind >= NODE_LT && node->kind <= NODE_GE) ||
		   (node->kind == NODE_HAS && !node->field->list) : node->kind >= NODE_PART)
		return filter_value_mismatch(p->where, node->field);
	if (!text)
		return filter_value_number(p->where, node->field, value,
					   &node->number);
	/* A pattern is no word of a list, and a list may have none. */
	if (node->kind != NODE_LIKE && !(node->field->list && equal && !*value) &&
	    !filter_value_words(p->where, node->field, value,
				node->kind == NODE_PART || node->kind == NODE_END))
		return false;
	/* The list of most samples has more than one name. */
	if (node->field->list && equal && !quoted && !strchr(value, '|'))
		return filter_value_list(p->where, node->field, value, node->kind == NODE_NE);
	node->text = value;
	return true;
}

/*
 * Turn "events has NAME" into a test of the event's bits.  IMPLEMENTATION DEFINED events
 * may have other names on some cores, and E[0] has a meaning only beside E[1].
 */
static void make_event(struct node *node)
{
	unsigned int bit;

	if (node->kind != NODE_HAS || strcmp(node->field->name, "events"))
		return;
	for (bit = 0; bit < SPE_EVENT_COUNT; bit++)
		if (!strcmp(armspe_event_name(bit), node->text))
			break;
	if (bit == SPE_EVENT_COUNT || !strncmp(node->text, "impdef-", 7))
		return;
	node->kind = NODE_EVENT;
	node->number = UINT64_C(1) << bit;
	if (bit == SPE_EVENT_EXCEPTION)
		node->number |= UINT64_C(1) << SPE_EVENT_RETIRED;
}

static const struct field *parse_column(struct parser *p)
{
	const struct field *field;
	size_t len;

	skip_blanks(p);
	len = word_len(p->at);
	if (!len) {
		bad(p, "a column is missing: add one, for example 'total'");
		return NULL;
	}
	field = filter_value_column(p->where, p->at, len);
	p->at += len;
	return field;
}

static size_t parse_comparison(struct parser *p)
{
	struct node node = { .kind = NODE_PRESENT };
	const char *advice;
	char *value;
	bool quoted;

	node.field = parse_column(p);
	if (!node.field)
		return BAD;
	if (node.field->need > p->f->need)
		p->f->need = node.field->need;
	p->f->columns |= node.field->columns;
	p->f->names_source |= field_names_source(node.field);
	p->f->names_latency |= field_is_latency(node.field);
	p->f->names_side |= field_is_side(node.field);
	advice = foreign_advice(p);
	if (advice)
		return bad(p, advice);
	if (!parse_operator(p, &node.kind))
		return add(p, node);
	skip_blanks(p);
	quoted = *p->at == '"' || *p->at == '\'';
	value = parse_value(p);
	if (!value)
		return BAD;
	if (!take_value(p, &node, value, quoted)) {
		free(value);
		return BAD;
	}
	if (!node.text)
		free(value);
	else
		make_event(&node);
	return add(p, node);
}

static size_t parse_or(struct parser *p);

static size_t parse_factor(struct parser *p)
{
	struct node node = { .kind = NODE_NOT };
	size_t inner;

	if (++p->depth > DEPTH_MAX)
		return bad(p, "brackets are nested too deeply: use fewer");
	if (accept(p, "not", NULL) ||
	    (skip_blanks(p), *p->at == '!' && p->at[1] != '=' && p->at++)) {
		inner = parse_factor(p);
		node.left = inner;
		if (inner != BAD)
			inner = add(p, node);
	} else if (accept(p, NULL, "(")) {
		inner = parse_or(p);
		if (inner != BAD && !accept(p, NULL, ")"))
			return bad(p, "')' is missing: add it");
	} else {
		inner = parse_comparison(p);
	}
	p->depth--;
	return inner;
}

/*
 * Parse terms with an operator between, to a list: (a or (b or c)), which is evaluated without
 * recursion.
 */
static size_t parse_list(struct parser *p, enum node_kind kind, const char *word, const char *sign,
			 size_t (*parse_term)(struct parser *p))
{
	struct node node = { .kind = kind };
	size_t first, last = BAD, term;

	first = parse_term(p);
	while (first != BAD && accept(p, word, sign)) {
		term = parse_term(p);
		if (term == BAD)
			return BAD;
		node.left = last == BAD ? first : p->f->nodes[last].right;
		node.right = term;
		term = add(p, node);
		if (last == BAD)
			first = term;
		else
			p->f->nodes[last].right = term;
		last = term;
	}
	return first;
}

static size_t parse_and(struct parser *p)
{
	return parse_list(p, NODE_AND, "and", "&&", parse_factor);
}

static size_t parse_or(struct parser *p)
{
	return parse_list(p, NODE_OR, "or", "||", parse_and);
}

struct filter *filter_parse(const char *where, const char *text)
{
	struct parser p = { .where = where, .at = text };

	p.f = xcalloc(1, sizeof(*p.f));
	p.f->need = NEED_RECORD;
	p.f->text = xformat("%s", text);
	p.f->root = parse_or(&p);
	skip_blanks(&p);
	if (p.f->root != BAD && *p.at) {
		const char *advice = foreign_advice(&p);

		p.f->root = bad(&p, advice ? advice : "'and' or 'or' is missing: add one of them");
	}
	if (p.f->root != BAD)
		return p.f;
	filter_free(p.f);
	return NULL;
}

void filter_free(struct filter *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->nr_nodes; i++)
		free(f->nodes[i].text);
	free(f->nodes);
	free(f->text);
	free(f);
}

const char *filter_text(const struct filter *f)
{
	return f ? f->text : NULL;
}

enum field_need filter_need(const struct filter *f)
{
	return f->need;
}

unsigned int filter_columns(const struct filter *f)
{
	return f->columns;
}

/* Whether @name is one of the names in a list "a|b|c" */
static bool has_name(const char *list, const char *name)
{
	size_t want = strlen(name), len;

	for (;; list += len + 1) {
		len = strcspn(list, "|");
		if (len == want && !memcmp(list, name, len))
			return true;
		if (!list[len])
			return false;
	}
}

static bool has_end(const char *text, const char *end)
{
	size_t len = strlen(text), want = strlen(end);

	return len >= want && !memcmp(text + len - want, end, want);
}

/* As in .gitignore, a pattern without a folder may match the name of the file alone. */
static bool is_like(const char *text, const char *pattern)
{
	return !fnmatch(pattern, text, 0) ||
	       (!strchr(pattern, '/') && !fnmatch(pattern, path_short(text), 0));
}

static bool match_text(const struct node *node, const char *text)
{
	switch (node->kind) {
	case NODE_EQ:
		return !strcmp(text, node->text);
	case NODE_NE:
		return strcmp(text, node->text);
	case NODE_PART:
		return strstr(text, node->text);
	case NODE_END:
		return has_end(text, node->text);
	case NODE_LIKE:
		return is_like(text, node->text);
	default:
		return has_name(text, node->text);
	}
}

bool filter_number_matches(const struct node *node, uint64_t number)
{
	switch (node->kind) {
	case NODE_EQ:
		return number == node->number;
	case NODE_NE:
		return number != node->number;
	case NODE_LT:
		return number < node->number;
	case NODE_LE:
		return number <= node->number;
	case NODE_GT:
		return number > node->number;
	default:
		return number >= node->number;
	}
}

static bool match_value(const struct node *node, const struct row *row)
{
	struct value v;

	v.present = false;
	node->field->get(row, node->field->arg, &v);
	if (!v.present || node->kind == NODE_PRESENT)
		return v.present;
	if (node->field->kind == FIELD_TEXT)
		return match_text(node, v.text);
	return filter_number_matches(node, v.number);
}

bool filter_node_matches(const struct filter *f, size_t at, const struct row *row)
{
	const struct node *node = &f->nodes[at];
	const bool either = node->kind == NODE_OR;

	switch (node->kind) {
	case NODE_OR:
	case NODE_AND:
		/* Brackets may begin another list of this kind, which is as good. */
		for (; f->nodes[at].kind == node->kind; at = f->nodes[at].right)
			if (filter_node_matches(f, f->nodes[at].left, row) == either)
				return either;
		return filter_node_matches(f, at, row);
	case NODE_NOT:
		return !filter_node_matches(f, node->left, row);
	case NODE_EVENT:
		return row->rec->valid & ARMSPE_HAS_EVENTS &&
		       (row->rec->events & node->number) == node->number;
	default:
		return match_value(node, row);
	}
}

bool filter_names_source(const struct filter *f)
{
	return f->names_source;
}

bool filter_names_met(const struct filter *f)
{
	return f->names_latency || f->columns & (ROW_EVENTS | ROW_SOURCE);
}

bool filter_names_side(const struct filter *f)
{
	return f->names_side;
}

bool filter_match(const struct filter *f, const struct row *row)
{
	return filter_node_matches(f, f->root, row);
}
