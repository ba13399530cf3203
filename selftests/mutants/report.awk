# SPDX-License-Identifier: GPL-2.0-only
#
# Reports the results of the mutants: awk -f report.awk SURVIVORS RESULTS, with the
# variables goal (percent), files, full (1 if every mutant was run) and again (1 if only the
# last survivors were).

function base(path) { sub(/.*\//, "", path); return path }

# An explanation is a line without indentation: FILE and the identity of the mutant.
NR == FNR {
	if ($0 ~ /^[^ \t#]/) explained[$0] = FNR
	next
}

{ count[$2, $1]++ }

# Compilers differ in the mutants that they show to be equivalent, so these may be explained.
$1 == "equivalent" { used[$2 " " $3] = 1 }

$1 == "survivor" {
	name = $2 " " $3
	if (name in explained) {
		used[name] = 1
		known[$2]++
	} else {
		unexplained[$2] = unexplained[$2] "\n    " $3
		unknown[$2]++
	}
}

function verdict(good, text) {
	print (good ? "ok " : "not ok ") text
	passed += good
	failed += !good
}

END {
	n = split(files, list, " ")
	for (i = 1; i <= n; i++) {
		file = list[i]
		killed = count[file, "killed"] + 0
		all = killed + count[file, "survivor"]
		if (again && !all)
			continue
		total += all
		dead += killed
		# mawk ends a program whose sprintf() writes more than 8 KiB.
		verdict(all > 0 && unknown[file] == 0, sprintf("%s: %d of %d mutants killed, %d survive and are explained, %d are equivalent, %d do not compile",
			file, killed, all, known[file], count[file, "equivalent"], count[file, "invalid"]) \
			(unknown[file] ? "; " unknown[file] " survive:" unexplained[file] : ""))
	}
	percent = total ? 100 * dead / total : 0
	# A sample may miss the goal by chance; its survivors count all the same.
	if (full)
		verdict(percent >= goal, sprintf("%.1f%% of %d mutants killed, goal %d%%", percent, total, goal))
	else
		printf "# %.1f%% of %d mutants killed; a full run judges the goal of %d%%\n", percent, total, goal
	for (name in explained) {
		split(name, word, " ")
		if (full && index(" " files " ", " " word[1] " ") && !(name in used))
			verdict(0, "survivors:" explained[name] ": explains a mutant that does not survive: " name)
	}
	printf "%d passed, %d failed, 0 skipped\n", passed, failed
	exit failed != 0
}
