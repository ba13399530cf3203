# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the targets of a makefile by groups, from lines "TARGET: ... ## GROUP | TEXT", in lines of
# at most 100 columns.  Fails if a target has no such line.

function wrap(name, text,    words, n, i, line) {
	n = split(text, words, " ")
	line = sprintf("  %-24s", name)
	for (i = 1; i <= n; i++) {
		if (length(line) + 1 + length(words[i]) > 100) {
			print line
			line = sprintf("  %-24s", "")
		}
		line = line " " words[i]
	}
	print line
}

BEGIN {
	groups = split("use build install test long measure set-up", group, " ")
	title["use"] = "Try"
	title["build"] = "Build"
	title["install"] = "Install and pack"
	title["test"] = "Test"
	title["long"] = "Test more, as make check-long does"
	title["measure"] = "Measure and record"
	title["set-up"] = "Set up: the other targets do this by themselves"
}

match($0, /^[a-z][a-z-]*:/) {
	name = substr($0, 1, RLENGTH - 1)
	targets[name]
}

match($0, /^[a-z][a-z-]*:/) && (at = index($0, " ## ")) {
	listed[name]
	rest = substr($0, at + 4)
	bar = index(rest, " | ")
	of = substr(rest, 1, bar - 1)
	if (!(of in title)) {
		print "make help: " name ": unknown group \"" of "\": choose one of tools/setup/help.awk" >"/dev/stderr"
		failed = 1
		next
	}
	text[of, ++count[of]] = substr(rest, bar + 3)
	names[of, count[of]] = name
}

END {
	for (g = 1; g <= groups; g++) {
		print "\n" title[group[g]]
		for (i = 1; i <= count[group[g]]; i++)
			wrap(names[group[g], i], text[group[g], i])
	}
	for (name in targets)
		if (!(name in listed)) {
			print "make help: " name ": has no help: write \" ## GROUP | TEXT\" behind its prerequisites" >"/dev/stderr"
			failed = 1
		}
	exit failed
}
