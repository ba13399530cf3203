// SPDX-License-Identifier: GPL-2.0-only
/* Text: buffers, a tokenizer, and structures with text in them */
#include "witness.h"

struct token {
	char text[12];
	uint8_t length;
	struct token *next;
};
struct lexer {
	const char *at, *end;
	struct token *first, **last;
	int32_t line;
};

static char input[] = "alpha beta\ngamma 42 delta\nx";
char upper[32];

__attribute__((noinline)) static int is_space(char c)
{
	LOCAL(c, char);
	return c == ' ' || c == '\n';
}

void next_token(struct lexer *l)
{
	struct token *t = calloc(1, sizeof(*t));

	LOCAL(l, struct lexer *);
	LOCAL(t, struct token *);
	OBJECT(*t, struct token);
	while (l->at < l->end && is_space(*l->at))
		if (*l->at++ == '\n')
			l->line++;
	while (l->at < l->end && !is_space(*l->at) && t->length < 11)
		t->text[t->length++] = *l->at++;
	*l->last = t;
	l->last = &t->next;
}

unsigned int hash(const char *s)
{
	unsigned int h = 5381;

	LOCAL(s, const char *);
	LOCAL(h, unsigned int);
	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h;
}

void shout(char *to, const char *from)
{
	int i;

	LOCAL(to, char *);
	LOCAL(from, const char *);
	LOCAL(i, int);
	for (i = 0; from[i]; i++)
		to[i] = from[i] >= 'a' && from[i] <= 'z' ? (char)(from[i] - 32) : from[i];
	to[i] = '\0';
}

int main(void)
{
	struct lexer l = { 0 };
	const struct token *t;
	unsigned int total = 0;

	LOCAL(t, const struct token *);
	LOCAL(total, unsigned int);
	OBJECT(l, struct lexer);
	OBJECT(input, char[28]);
	OBJECT(upper, char[32]);
	MEMBER(struct token, text, char[12]);
	MEMBER(struct token, length, uint8_t);
	MEMBER(struct token, next, struct token *);
	MEMBER(struct lexer, at, const char *);
	MEMBER(struct lexer, end, const char *);
	MEMBER(struct lexer, first, struct token *);
	MEMBER(struct lexer, last, struct token **);
	MEMBER(struct lexer, line, int32_t);
	l.at = input;
	l.end = input + sizeof(input) - 1;
	l.last = &l.first;
	while (l.at < l.end)
		next_token(&l);
	for (t = l.first; t; t = t->next) {
		total += hash(t->text) + t->length;
		shout(upper, t->text);
	}
	printf("# %u %s %d\n", total, upper, l.line);
	return 0;
}
