// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes mutants of a C file: the file with one constant, comparison or operator changed.
 *
 *	mutate list FILE		prints a line for each mutant: number, tab, identity
 *	mutate make FILE NUMBER		writes the source of that mutant
 *	mutate pick SEED COUNT		copies COUNT random lines of standard input
 *
 * An identity is "FUNCTION: OLD -> NEW #K: LINE": OLD is the Kth of its kind in LINE, counted
 * from 1, and LINE lacks comments.  So it stays valid when other parts of the file change.  Strings,
 * comments and preprocessor lines other than #define have no mutants.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { WORD, NUMBER, CHARACTER, STRING, PUNCTUATION };

struct token {
	const char *at;
	size_t length;
	enum kind kind;
	unsigned int line;	/* number of its line in the source, from 0 */
	unsigned int index;	/* position in its line */
	bool frozen;		/* part of a preprocessor line's syntax, or pasted */
};

static struct token *tokens;
static size_t count;

/* The longest operators come first. */
static const char *const punctuation[] = {
	"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
	"&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##",
};

/* The replacements of each operator; an operator with two rows has two mutants. */
static const struct { const char *old, *new; } operators[] = {
	{ "<", "<=" }, { "<", ">=" }, { "<=", "<" }, { "<=", ">" },
	{ ">", ">=" }, { ">", "<=" }, { ">=", ">" }, { ">=", "<" },
	{ "==", "!=" }, { "!=", "==" }, { "&&", "||" }, { "||", "&&" },
	{ "+", "-" }, { "-", "+" }, { "*", "/" }, { "/", "*" }, { "%", "/" },
	{ "&", "|" }, { "|", "&" }, { "^", "|" }, { "<<", ">>" }, { ">>", "<<" },
	{ "+=", "-=" }, { "-=", "+=" }, { "*=", "/=" }, { "/=", "*=" },
	{ "|=", "&=" }, { "&=", "|=" }, { "^=", "|=" },
	{ "<<=", ">>=" }, { ">>=", "<<=" }, { "++", "--" }, { "--", "++" },
	{ "!", "" }, { "~", "" }, { "true", "false" }, { "false", "true" },
};

static void die(const char *what)
{
	fprintf(stderr, "mutate: %s\n", what);
	exit(2);
}

static char *slurp(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t size = 0, room = 1 << 16;
	char *text = malloc(room + 1);

	if (!file || !text)
		die("cannot read the file");
	for (size_t got; (got = fread(text + size, 1, room - size, file)) > 0;) {
		size += got;
		if (size < room)
			continue;
		room *= 2;
		text = realloc(text, room + 1);
		if (!text)
			die("no memory");
	}
	text[size] = 0;
	fclose(file);
	return text;
}

static bool is(const struct token *t, const char *text)
{
	return t->length == strlen(text) && !memcmp(t->at, text, t->length);
}

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t quoted(const char *p)
{
	size_t n = 1;

	while (p[n] && p[n] != p[0])
		n += p[n] == '\\' && p[n + 1] ? 2 : 1;
	return n + 1;
}

static size_t token_length(const char *p, enum kind *kind)
{
	size_t n = 1;

	if (word_char(*p)) {
		*kind = isdigit((unsigned char)*p) ? NUMBER : WORD;
		while (word_char(p[n]))
			n++;
		return n;
	}
	if (*p == '"' || *p == '\'') {
		*kind = *p == '"' ? STRING : CHARACTER;
		return quoted(p);
	}
	*kind = PUNCTUATION;
	for (size_t i = 0; i < sizeof(punctuation) / sizeof(punctuation[0]); i++)
		if (!strncmp(p, punctuation[i], strlen(punctuation[i])))
			return strlen(punctuation[i]);
	return 1;
}

/* Returns the end of a preprocessor line, or of "#define NAME(PARAMETERS)". */
static const char *directive_end(const char *p)
{
	if (!strncmp(p, "#define", 7)) {
		p += 7 + strspn(p + 7, " \t");
		while (word_char(*p))
			p++;
		return *p == '(' ? strchr(p, ')') + 1 : p;
	}
	while (*p && *p != '\n')
		p += *p == '\\' && p[1] ? 2 : 1;
	return p;
}

static const char *comment_end(const char *p)
{
	const char *end = p[1] == '*' ? strstr(p + 2, "*/") : strchr(p, '\n');

	if (!end)
		die("a comment has no end");
	return p[1] == '*' ? end + 2 : end;
}

static void scan(const char *text)
{
	unsigned int line = 0, index = 0;
	const char *p = text, *end;

	tokens = calloc(strlen(text) + 1, sizeof(*tokens));
	if (!tokens)
		die("no memory");
	while (*p) {
		struct token *t = &tokens[count];

		end = NULL;
		if (*p == '#' && (p == text || p[-1] == '\n'))
			end = directive_end(p);
		else if (*p == '/' && (p[1] == '*' || p[1] == '/'))
			end = comment_end(p);
		else if (isspace((unsigned char)*p) || *p == '\\')
			end = p + 1;
		if (!end) {
			t->at = p;
			t->length = token_length(p, &t->kind);
			t->line = line;
			t->index = index++;
			t->frozen = count && (is(t - 1, "##") || is(t - 1, "#"));
			if (count && is(t, "##"))
				t[-1].frozen = true;
			count++;
			end = p + t->length;
		}
		for (; p < end; p++)
			if (*p == '\n') {
				line++;
				index = 0;
			}
	}
}

/* Whether a binary operator may follow the token before this one. */
static bool binary(size_t i)
{
	static const char *const not[] = { "return", "case", "else", "sizeof" };
	const struct token *before = &tokens[i - 1];

	if (!i)
		return false;
	for (size_t k = 0; k < sizeof(not) / sizeof(not[0]); k++)
		if (is(before, not[k]))
			return false;
	return before->kind == WORD || before->kind == NUMBER || before->kind == CHARACTER ||
	       is(before, ")") || is(before, "]");
}

/* Whether this is a constant's name: no lower-case letter, and not a macro call. */
static bool constant_name(size_t i)
{
	const struct token *t = &tokens[i];
	bool letters = false;

	if (t->kind != WORD || is(t, "NULL") || (i + 1 < count && is(t + 1, "(")))
		return false;
	for (size_t k = 0; k < t->length; k++) {
		if (islower((unsigned char)t->at[k]))
			return false;
		letters |= isupper((unsigned char)t->at[k]);
	}
	return letters;
}

/* In a table: the entry in the next row or, for the last row, in the previous one. */
static const struct token *neighbour(size_t i)
{
	const struct token *t = &tokens[i], *above = NULL;

	for (size_t k = 0; k < count; k++) {
		const struct token *n = &tokens[k];

		if (n->index != t->index || !constant_name(k) ||
		    (n->length == t->length && !memcmp(n->at, t->at, t->length)))
			continue;
		if (n->line == t->line + 1)
			return n;
		if (n->line + 1 == t->line)
			above = n;
	}
	return above;
}

#define FORMS	2
#define FORM	128

static unsigned int number_mutants(const struct token *t, char new[][FORM])
{
	char *end;
	unsigned long long value = strtoull(t->at, &end, 0);
	const char *format = t->length > 1 && (t->at[1] == 'x' || t->at[1] == 'X') ?
			     "0x%llx%.*s" : "%llu%.*s";
	int suffix = (int)(t->at + t->length - end);

	if (suffix < 0 || strspn(end, "uUlL") < (size_t)suffix)
		return 0;
	snprintf(new[0], FORM, format, value + 1, suffix, end);
	if (!value)
		return 1;
	snprintf(new[1], FORM, format, value - 1, suffix, end);
	return 2;
}

static unsigned int name_mutants(size_t i, char new[][FORM])
{
	const struct token *t = &tokens[i], *other = neighbour(i);

	snprintf(new[0], FORM, "(%.*s + 1)", (int)t->length, t->at);
	if (!other)
		return 1;
	snprintf(new[1], FORM, "%.*s", (int)other->length, other->at);
	return 2;
}

/* Writes the replacements of a token to NEW and returns their number. */
static unsigned int mutants_of(size_t i, char new[][FORM])
{
	const struct token *t = &tokens[i];
	unsigned int n = 0;

	if (t->frozen || t->kind == STRING)
		return 0;
	if (t->kind == NUMBER)
		return number_mutants(t, new);
	if (constant_name(i))
		return name_mutants(i, new);
	if (t->kind == CHARACTER) {
		snprintf(new[0], FORM, "(%.*s + 1)", (int)t->length, t->at);
		return 1;
	}
	if (t->length == 1 && strchr("*&+-", *t->at) && !binary(i)) {
		if (*t->at == '-')
			snprintf(new[n++], FORM, "+");
		return n;
	}
	for (size_t k = 0; k < sizeof(operators) / sizeof(operators[0]) && n < FORMS; k++)
		if (is(t, operators[k].old))
			snprintf(new[n++], FORM, "%s", operators[k].new);
	return n;
}

/* Returns the start of the line that holds the token. */
static const char *line_of(const char *text, const struct token *t)
{
	const char *p = t->at;

	while (p > text && p[-1] != '\n')
		p--;
	return p;
}

/* Returns the name in the first line of a definition, which has no indentation. */
static const struct token *defined(const char *text, size_t i)
{
	unsigned int line = tokens[i].line;

	if (tokens[i].kind != WORD || (tokens[i].at > text && tokens[i].at[-1] != '\n'))
		return NULL;
	for (; i + 1 < count && tokens[i].line == line; i++)
		if (tokens[i].kind == WORD && strchr("([=", *tokens[i + 1].at))
			return &tokens[i];
	return NULL;
}

/* Returns the function or table that contains the token. */
static void print_owner(const char *text, size_t i)
{
	const struct token *name = NULL;

	do
		name = defined(text, i);
	while (!name && i--);
	printf("%.*s", name ? (int)name->length : 1, name ? name->at : "-");
}

/*
 * Prints the line without comments, with one space for all blanks: a tab separates fields,
 * and an explanation of the mutant must outlive the comment.
 */
static void print_line(const char *line)
{
	bool blank = true;

	while (*line && *line != '\n') {
		size_t n = *line == '"' || *line == '\'' ? quoted(line) : 1;

		if (*line == '/' && (line[1] == '*' || line[1] == '/')) {
			size_t rest = strcspn(line, "\n");

			n = comment_end(line) - line;
			if (n > rest)
				n = rest;
			blank = true;
		} else if (*line == ' ' || *line == '\t') {
			blank = true;
		} else {
			printf("%s%.*s", blank ? " " : "", (int)n, line);
			blank = false;
		}
		line += n;
	}
	putchar('\n');
}

static void print_identity(const char *text, size_t i, const char *new)
{
	const struct token *t = &tokens[i];
	const char *line = line_of(text, t);
	unsigned int nth = 1;

	for (size_t k = i; k-- && tokens[k].line == t->line;)
		nth += tokens[k].length == t->length && !memcmp(tokens[k].at, t->at, t->length);
	print_owner(text, i);
	printf(": %.*s -> %s #%u:", (int)t->length, t->at, *new ? new : "nothing", nth);
	print_line(line);
}

static void print_mutant(const char *text, const struct token *t, const char *new)
{
	fwrite(text, 1, t->at - text, stdout);
	printf("%s%s", new, t->at + t->length);
}

/* Lists all mutants, or writes the one with this number. */
static int each(const char *text, unsigned long wanted)
{
	char new[FORMS][FORM];
	unsigned long number = 0;

	scan(text);
	for (size_t i = 0; i < count; i++) {
		unsigned int n = mutants_of(i, new);

		for (unsigned int k = 0; k < n; k++) {
			number++;
			if (!wanted) {
				printf("%lu\t", number);
				print_identity(text, i, new[k]);
			} else if (number == wanted) {
				print_mutant(text, &tokens[i], new[k]);
				return 0;
			}
		}
	}
	return wanted != 0;
}

static uint64_t draw(uint64_t *state)
{
	/* splitmix64 */
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static int pick(uint64_t seed, unsigned long wanted)
{
	char *text = slurp("/dev/stdin");
	unsigned long left = 0;

	for (const char *p = text; *p; p++)
		left += *p == '\n';
	for (char *line = text; left; left--) {
		char *next = strchr(line, '\n') + 1;

		if (draw(&seed) % left < wanted) {
			fwrite(line, 1, next - line, stdout);
			wanted--;
		}
		line = next;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "list"))
		return each(slurp(argv[2]), 0);
	if (argc == 4 && !strcmp(argv[1], "make"))
		return each(slurp(argv[2]), strtoul(argv[3], NULL, 10));
	if (argc == 4 && !strcmp(argv[1], "pick"))
		return pick(strtoull(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
	die("usage: mutate list FILE | make FILE NUMBER | pick SEED COUNT");
}
