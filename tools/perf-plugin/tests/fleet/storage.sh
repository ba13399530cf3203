# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # what the script has set that reads this file
#
# Storage with the interface of S3 for tests: Ceph's radosgw, from build/arrow ($built), with its files below $dir.
# Messages of its programs go to the files $out and $err; fail() tells what does not work.

# A PORT that is free
free_port() { python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
# ask METHOD PATH [CURL'S OPTIONS...]: of the storage, by curl's own signature
ask() {
	local hash
	hash=$(sha256sum </dev/null | cut -d' ' -f1)
	curl -s --aws-sigv4 aws:amz:us-east-1:s3 -u key1:secret1 -H "x-amz-content-sha256: $hash" -X "$1" \
		"${@:3}" "http://127.0.0.1:$store$2"
}
objects() { ask GET /fleet | grep -o '<Key>[^<]*</Key>' | sed 's/<[^>]*>//g' | sort; }
# storage PROGRAM OPTIONS...: run a program of Ceph
storage() { "$built/$1" -c "$dir/ceph.conf" "${@:2}"; }
# storage_begin PROGRAM OPTIONS...: the same in the background
storage_begin() {
	"$built/$1" -c "$dir/ceph.conf" "${@:2}" >"$dir/ceph/$1.out" 2>&1 &
	servers+=" $!"
}
# begin_cluster: a monitor, and an OSD with its objects in memory.  There is no authentication, and pools keep one copy
begin_cluster() {
	local port libs osd i begun=$SECONDS
	port=$(free_port) libs=$(realpath "$built/ceph-libraries") osd=$(cat /proc/sys/kernel/random/uuid)
	cat >"$dir/ceph.conf" <<-END
		[global]
		fsid = $osd
		mon_host = v1:127.0.0.1:$port
		ms_bind_msgr2 = false
		auth_cluster_required = none
		auth_service_required = none
		auth_client_required = none
		public_addr = 127.0.0.1
		run_dir = $dir/ceph
		admin_socket =
		log_file = $dir/ceph/\$name.log
		mon_cluster_log_to_file = false
		mon_data = $dir/ceph/mon
		osd_data = $dir/ceph/osd
		osd_objectstore = memstore
		osd_crush_chooseleaf_type = 0
		osd_pool_default_size = 1
		osd_pool_default_pg_num = 1
		osd_pool_default_pg_autoscale_mode = off
		mon_allow_pool_size_one = true
		rgw_rados_pool_pg_num_min = 1
		osd_class_dir = $libs/rados-classes
		erasure_code_dir = $libs/ceph/erasure-code
		plugin_dir = $libs/ceph
		[client.radosgw]
		rgw_data = $dir/ceph
		rgw_frontends = beast endpoint=127.0.0.1:$store tcp_nodelay=1
	END
	{
		storage monmaptool --create --fsid "$osd" --addv a "[v1:127.0.0.1:$port]" "$dir/ceph/monmap" &&
			storage ceph-mon --mkfs -i a --monmap "$dir/ceph/monmap"
	} >"$out" 2>"$err" || fail 'no monitor'
	storage_begin ceph-mon -f -i a
	storage ceph --connect-timeout 60 osd new "$osd" 0 >"$out" 2>"$err" || fail 'the monitor does not answer'
	storage ceph-osd --mkfs -i 0 --osd-uuid "$osd" >"$out" 2>"$err" || fail 'no OSD'
	# At a high load an OSD may ask before it knows the cluster, and ends: "wrong fsid".
	for ((i = 0; i < 5; i++)); do
		storage_begin ceph-osd -f -i 0
		while kill -0 "$!" 2>/dev/null && [ $((SECONDS - begun)) -lt 300 ]; do
			! grep -q 'done with init' "$dir/ceph/osd.0.log" || return 0
			sleep 0.2
		done
	done
	fail 'the OSD does not begin'
}
# begin_storage: Ceph's gateway with a cluster, a user and the bucket "fleet"; sets store, the port, and servers
begin_storage() {
	local i
	store=$(free_port)
	mkdir -p "$dir/ceph/mon" "$dir/ceph/osd"
	begin_cluster
	timeout 120 "$built/radosgw-admin" -c "$dir/ceph.conf" -n client.radosgw user create --uid=test --display-name=test \
		--access-key=key1 --secret=secret1 >"$out" 2>"$err" || fail 'no user'
	storage_begin radosgw -d -n client.radosgw
	for ((i = 0; i < 300; i++)); do
		! ask PUT /fleet -o "$out" || break
		sleep 0.1
	done
	[ -z "$(objects)" ] || fail 'the bucket is not empty'
}
end_storage() {
	[ -n "$servers" ] || return 0
	# shellcheck disable=SC2086 # words
	kill $servers 2>/dev/null || true
	# shellcheck disable=SC2086
	wait $servers 2>/dev/null || true
	servers=''
	rm -rf "$dir/ceph"
}
# in_mount FOLDER COMMAND...: run a command that finds the files of the bucket's "lake" in FOLDER, where s3fs mounts
# them.  Only this command sees the mount, which ends with it.
in_mount() {
	(umask 077 && echo key1:secret1 >"$dir/passwd")
	# shellcheck disable=SC2016 # the inner shell's variables
	unshare -rm bash -c '"$1" fleet:/lake "$2" -o "$3" && mountpoint -q "$2" || exit
		"${@:4}"
		status=$?
		umount "$2"
		exit $status' mount "$built/s3fs" "$1" \
		"ro,compat_dir,attr_timeout=60,entry_timeout=60,use_path_request_style,url=http://127.0.0.1:$store,passwd_file=$dir/passwd" "${@:2}"
}
