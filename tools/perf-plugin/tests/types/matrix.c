// SPDX-License-Identifier: GPL-2.0-only
/* Matrices of numbers: global, behind pointers, and in a structure */
#include "witness.h"

#define N 6

struct matrix {
	int32_t rows, columns;
	double *cells;
};

double a[N][N], b[N][N], c[N][N];
static float points[24];

void multiply(void)
{
	int i, j, k;

	LOCAL(i, int);
	LOCAL(j, int);
	LOCAL(k, int);
	for (i = 0; i < N; i++)
		for (j = 0; j < N; j++)
			for (k = 0; k < N; k++)
				c[i][j] += a[i][k] * b[k][j];
}

double trace(double (*m)[N])
{
	double total = 0;
	int i;

	LOCAL(m, double (*)[6]);
	LOCAL(total, double);
	LOCAL(i, int);
	for (i = 0; i < N; i++)
		total += m[i][i];
	return total;
}

void scale(struct matrix *m, double by)
{
	int i, j;

	LOCAL(m, struct matrix *);
	LOCAL(by, double);
	LOCAL(i, int);
	LOCAL(j, int);
	for (i = 0; i < m->rows; i++)
		for (j = 0; j < m->columns; j++)
			m->cells[i * m->columns + j] *= by;
}

float norm(const float *v, int count)
{
	float total = 0;

	LOCAL(v, const float *);
	LOCAL(count, int);
	LOCAL(total, float);
	while (count--)
		total += *v * *v, v++;
	return total;
}

int main(void)
{
	struct matrix m = { 4, 5, calloc(20, sizeof(double)) };
	int i, j;

	LOCAL(i, int);
	LOCAL(j, int);
	OBJECT(m, struct matrix);
	OBJECTS(m.cells, 20, double);
	OBJECT(a, double[6][6]);
	OBJECT(b, double[6][6]);
	OBJECT(c, double[6][6]);
	OBJECT(points, float[24]);
	MEMBER(struct matrix, rows, int32_t);
	MEMBER(struct matrix, columns, int32_t);
	MEMBER(struct matrix, cells, double *);
	for (i = 0; i < N; i++)
		for (j = 0; j < N; j++) {
			a[i][j] = i + j;
			b[i][j] = i - j;
		}
	for (i = 0; i < 20; i++)
		m.cells[i] = i;
	for (i = 0; i < 24; i++)
		points[i] = (float)i;
	multiply();
	scale(&m, 1.5);
	printf("# %g %g %g\n", trace(c) + trace(a), m.cells[7], (double)norm(points, 24));
	return 0;
}
