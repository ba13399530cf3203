// SPDX-License-Identifier: GPL-2.0-only
/* Headers of packets with bit-fields */
#include "witness.h"

struct header {
	uint8_t version : 4, length : 4;
	uint8_t ttl;
	uint16_t id;
	uint32_t urgent : 1, last : 1, window : 30;
	uint64_t sum;
};

struct packet {
	struct header head;
	struct packet *next;
};

static struct packet pool[6];
struct packet *queue;

void fill(struct packet *p, unsigned int id)
{
	LOCAL(p, struct packet *);
	LOCAL(id, unsigned int);
	p->head.version = 4;
	p->head.length = id & 15;
	p->head.ttl = (uint8_t)(64 + id);
	p->head.id = (uint16_t)id;
	p->head.urgent = id & 1;
	p->head.window = id * 100;
	p->next = queue;
	queue = p;
}

uint64_t check(struct header *h)
{
	LOCAL(h, struct header *);
	h->sum = h->version + h->length + h->ttl + h->id + h->window;
	if (h->urgent)
		h->last = 1;
	return h->sum;
}

int main(void)
{
	const struct packet *p;
	uint64_t total = 0;
	unsigned int i;

	LOCAL(p, const struct packet *);
	LOCAL(total, uint64_t);
	LOCAL(i, unsigned int);
	OBJECT(pool, struct packet[6]);
	OBJECT(queue, struct packet *);
	BITS(struct header, "version..length", 0, 1);
	MEMBER(struct header, ttl, uint8_t);
	MEMBER(struct header, id, uint16_t);
	BITS(struct header, "urgent..window", 4, 1);
	BITS(struct header, "window", 5, 3);
	MEMBER(struct header, sum, uint64_t);
	MEMBER(struct packet, head, struct header);
	MEMBER(struct packet, next, struct packet *);
	for (i = 0; i < 6; i++)
		fill(&pool[i], i);
	for (i = 0; i < 6; i++)
		total += check(&pool[i].head);
	for (p = queue; p; p = p->next)
		total += p->head.last + p->head.ttl;
	printf("# %d\n", (int)total);
	return 0;
}
