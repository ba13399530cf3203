// SPDX-License-Identifier: GPL-2.0-only
/* A binary search tree, by recursion and by pointers to pointers */
#include "witness.h"

struct tree {
	struct tree *left, *right;
	int32_t key, count;
	double weight;
};

static struct tree *root;

static void add(struct tree **at, int32_t key)
{
	struct tree *t;

	LOCAL(at, struct tree **);
	LOCAL(key, int32_t);
	LOCAL(t, struct tree *);
	while (*at && (*at)->key != key)
		at = key < (*at)->key ? &(*at)->left : &(*at)->right;
	if (!*at) {
		t = calloc(1, sizeof(*t));
		OBJECT(*t, struct tree);
		t->key = key;
		t->weight = key * 0.5;
		*at = t;
	}
	(*at)->count++;
}

double weigh(const struct tree *t)
{
	LOCAL(t, const struct tree *);
	return t ? weigh(t->left) + t->weight * t->count + weigh(t->right) : 0;
}

__attribute__((noinline)) static struct tree *find(int32_t key)
{
	struct tree *t = root;

	LOCAL(key, int32_t);
	LOCAL(t, struct tree *);
	while (t && t->key != key)
		t = key < t->key ? t->left : t->right;
	return t;
}

static int32_t least(const struct tree *t)
{
	LOCAL(t, const struct tree *);
	while (t->left)
		t = t->left;
	return t->key;
}

int main(void)
{
	unsigned int seed = 7;
	int total = 0, i;

	LOCAL(seed, unsigned int);
	LOCAL(total, int);
	LOCAL(i, int);
	OBJECT(root, struct tree *);
	MEMBER(struct tree, left, struct tree *);
	MEMBER(struct tree, right, struct tree *);
	MEMBER(struct tree, key, int32_t);
	MEMBER(struct tree, count, int32_t);
	MEMBER(struct tree, weight, double);
	for (i = 0; i < 20; i++) {
		seed = seed * 1103515245 + 12345;
		add(&root, (int32_t)(seed >> 16 & 31));
	}
	for (i = 0; i < 32; i++)
		if (find(i))
			total += find(i)->count;
	printf("# %d %d %g\n", total, least(root), weigh(root));
	return 0;
}
