# SPDX-License-Identifier: GPL-2.0-only
#
# Sphinx's configuration for "make docs".  The sources are the documents of the
# whole tree, so that their links are the same here, in an editor and on a forge.

project = 'Arm SPE'
copyright = 'the authors of Arm SPE'

root_doc = 'Documentation/index'
include_patterns = [
    'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'Documentation/**',
    'tools/qemu-spe/README.md', 'patches/linux/README.md',
]
exclude_patterns = ['build', '.git']
source_suffix = {'.md': 'markdown', '.rst': 'restructuredtext'}

extensions = ['myst_parser']
# Headings down to this level can be linked to as FILE.md#heading.
myst_heading_anchors = 3

# Blocks of code are shells, tables and packets by turns: no highlighting.
highlight_language = 'none'

html_theme = 'sphinx_rtd_theme'
html_title = project
html_static_path = ['docs.css']
html_css_files = ['docs.css']
html_show_sphinx = False
html_copy_source = False
