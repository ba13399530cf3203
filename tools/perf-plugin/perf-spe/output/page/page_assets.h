/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of output/html as strings. */
#ifndef PERF_SPE_PAGE_ASSETS_H
#define PERF_SPE_PAGE_ASSETS_H

#define PAGE_ASSET __attribute__((visibility("hidden")))

extern const char page_css[] PAGE_ASSET;
extern const char page_theme_js[] PAGE_ASSET;	/* in the head, before the page is drawn */
extern const char page_table_js[] PAGE_ASSET;	/* sorts and filters tables */
extern const char page_flame_js[] PAGE_ASSET;
extern const char page_code_js[] PAGE_ASSET;	/* opens listings, follows links */
extern const char page_heat_js[] PAGE_ASSET;

#endif
