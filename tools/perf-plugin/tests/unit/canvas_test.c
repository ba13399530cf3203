// SPDX-License-Identifier: GPL-2.0-only
/* Pictures in SVG and PNG: the same rectangles, colours and letters in both. */
#include <stdlib.h>
#ifdef HAVE_PNG
#include <png.h>
#endif

#include "output/picture/picture.h"
#include "output/text/text.h"
#include "test.h"
#include "util/util.h"

#define WIDTH	40u
#define HEIGHT	20u

static const char *const rude = "<a href=\"x\">&'\033[m\n";

/* What @draw made, in memory; the caller frees it. */
static char *drawn(const struct canvas_kind *kind,
		   void (*draw)(struct canvas *c), size_t *len)
{
	struct canvas c;
	char *bytes = NULL;
	FILE *to = open_memstream(&bytes, len);

	CHECK_EQ(canvas_begin(&c, kind, to, WIDTH, HEIGHT, rude), 0);
	draw(&c);
	CHECK_EQ(canvas_end(&c), 0);
	fclose(to);
	return bytes;
}

static void draw_rude(struct canvas *c)
{
	canvas_rect(c, 1, 2, 3, 4, 0x123456, rude);
	canvas_text(c, 5, 10, ANCHOR_END, "%s", rude);
}

static void svg(void)
{
	static const char escaped[] =
		"&#60;a href=&#34;x&#34;&#62;&#38;&#39;\xef\xbf\xbd[m ";
	size_t len;
	char *text = drawn(&canvas_svg, draw_rude, &len), *at = text;
	unsigned int times;

	CHECK(strstr(text, "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#123456\"><title>"));
	CHECK(strstr(text, "<text x=\"5\" y=\"10\" text-anchor=\"end\">"));
	for (times = 0; (at = strstr(at, escaped)); times++)
		at++;
	CHECK_EQ(times, 3);
	CHECK(!strchr(text, '\033'));
	free(text);
}

static void colours(void)
{
	unsigned int i;

	CHECK_EQ(canvas_heat(0), 0x34186e);
	CHECK_EQ(canvas_heat(1), 0xfff5aa);
	/* Warmer is redder, everywhere. */
	for (i = 1; i <= 100; i++)
		CHECK(canvas_heat(i / 100.0) >> 16 >=
		      canvas_heat((i - 1) / 100.0) >> 16);
}

static void spans(void)
{
	static const struct {
		uint64_t span;
		bool timed;
		const char *text;
	} cases[] = {
		{ 0, true, "0" }, { 999, true, "0.999 us" },
		{ 1000000, true, "1.000 ms" }, { 2500000000, true, "2.500 s" },
		{ 1000000, false, "1000000" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = span_text(cases[i].span, cases[i].timed);

		CHECK_STR(text, cases[i].text);
		free(text);
	}
}

#ifdef HAVE_PNG

/* Red, green, blue of a picture of draw()'s, which is twice as large */
static uint8_t *png_pixels(void (*draw)(struct canvas *c))
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	size_t len;
	char *bytes = drawn(&canvas_png, draw, &len);
	uint8_t *pixels = NULL;

	CHECK(png_image_begin_read_from_memory(&image, bytes, len));
	CHECK_EQ(image.width, 2 * WIDTH);
	CHECK_EQ(image.height, 2 * HEIGHT);
	image.format = PNG_FORMAT_RGB;
	pixels = xcalloc(PNG_IMAGE_SIZE(image), 1);
	CHECK(png_image_finish_read(&image, NULL, pixels, 0, NULL));
	free(bytes);
	return pixels;
}

static uint32_t pixel(const uint8_t *pixels, unsigned int x, unsigned int y)
{
	const uint8_t *at = pixels + 3 * (2 * WIDTH * y + x);

	return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

static void draw_rects(struct canvas *c)
{
	canvas_rect(c, 1, 2, 3, 4, 0x123456, NULL);
	canvas_rect(c, WIDTH - 2, HEIGHT - 2, 100, 100, 0xff0000, NULL);
	canvas_rect(c, 1000, 1000, 1, 1, 0, NULL);
}

static void png_rects(void)
{
	uint8_t *pixels = png_pixels(draw_rects);
	unsigned int x, y;

	for (y = 0; y < 2 * HEIGHT; y++)
		for (x = 0; x < 2 * WIDTH; x++)
			CHECK_EQ(pixel(pixels, x, y),
				 x >= 2 && x < 8 && y >= 4 && y < 12 ? 0x123456 :
				 x >= 2 * WIDTH - 4 && y >= 2 * HEIGHT - 4 ?
				 0xff0000 : 0xffffff);
	free(pixels);
}

static void draw_letters(struct canvas *c)
{
	/* Ends at 20: the l stands from 14 to 18, its stroke at 16. */
	canvas_text(c, 20, 10, ANCHOR_END, "- l");
	/* Too far to the left and up */
	canvas_text(c, 3, 2, ANCHOR_END, "\xc3\x27");
}

static void png_letters(void)
{
	uint8_t *pixels = png_pixels(draw_letters);

	/* The stroke of the l, two pixels wide, from 3 to 9 */
	CHECK_EQ(pixel(pixels, 32, 2 * 4), 0);
	CHECK_EQ(pixel(pixels, 33, 2 * 4), 0);
	CHECK_EQ(pixel(pixels, 34, 2 * 4), 0xffffff);
	CHECK_EQ(pixel(pixels, 32, 2 * 10), 0xffffff);
	/* The dash, in its own row only */
	CHECK_EQ(pixel(pixels, 2 * 4, 2 * 6), 0);
	CHECK_EQ(pixel(pixels, 2 * 4, 2 * 7), 0xffffff);
	/* A box, for what there is no letter of */
	CHECK_EQ(pixel(pixels, 0, 0), 0);
	free(pixels);
}

#else

static void png_rects(void)
{
	struct canvas c;

	CHECK_EQ(canvas_begin(&c, &canvas_png, stdout, 1, 1, ""), -1);
}

static void png_letters(void)
{
	test_skip("built without libpng");
}

#endif

const struct test_case canvas_cases[] = {
	{ "canvas: SVG, and what comes from a file is escaped", svg },
	{ "canvas: colours from cold to warm", colours },
	{ "canvas: times for people", spans },
	{ "canvas: PNG: rectangles, cut off at the edges", png_rects },
	{ "canvas: PNG: letters", png_letters },
	{ 0 },
};
