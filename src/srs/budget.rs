//! How many bytes of SRS a host has room for, when nobody says.

use std::fs;
use std::path::{Path, PathBuf};

/// The room that the kernel sees now: the memory that is available on the host, and what the control groups of this
/// process leave of their limits, whichever is less. Memory that files are cached in counts as room. An image directory in
/// memory adds its images: they are there already.
pub fn automatic(image_directory: Option<&Path>) -> u64 {
    let available = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| mem_available(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let left = group_room(Path::new("/sys/fs/cgroup"), &groups);
    let room = available.into_iter().chain(left).min().unwrap_or(u64::MAX);
    room.saturating_add(image_directory.map_or(0, images_in_memory))
}

fn mem_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// The least that any memory group above the process leaves; None without a limit.
fn group_room(mount: &Path, groups: &str) -> Option<u64> {
    groups.lines().filter_map(|line| room_of_line(mount, line)).min()
}

/// A line of /proc/self/cgroup: `0::/path` of version 2, `4:memory:/path` of version 1.
fn room_of_line(mount: &Path, line: &str) -> Option<u64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, path) = (fields.next()?, fields.next()?);
    let (root, version) = match controllers {
        "" => (mount.to_owned(), &V2),
        list if list.split(',').any(|name| name == "memory") => (mount.join("memory"), &V1),
        _ => return None,
    };
    // In a container the path may be that of the host, whose groups are not mounted: then only the root counts.
    let mut group: PathBuf = root.join(path.trim_start_matches('/'));
    let mut least = None;
    loop {
        least = least.into_iter().chain(version.room(&group)).min();
        if group == root || !group.pop() {
            return least;
        }
    }
}

struct Files {
    limit: &'static str,
    usage: &'static str,
    /// Names in memory.stat of what can be given back.
    cached: [&'static str; 2],
}

const V2: Files = Files {
    limit: "memory.max",
    usage: "memory.current",
    cached: ["active_file", "inactive_file"],
};
const V1: Files = Files {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    cached: ["total_active_file", "total_inactive_file"],
};
/// Version 1 writes "no limit" as the largest multiple of a page.
const NO_LIMIT: u64 = 1 << 62;

impl Files {
    fn room(&self, group: &Path) -> Option<u64> {
        let number = |name: &str| -> Option<u64> { fs::read_to_string(group.join(name)).ok()?.trim().parse().ok() };
        let limit = number(self.limit).filter(|limit| *limit < NO_LIMIT)?;
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let cached: u64 = stat
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter(|(name, _)| self.cached.contains(name))
            .filter_map(|(_, bytes)| bytes.trim().parse::<u64>().ok())
            .sum();
        let used = number(self.usage).unwrap_or(0).saturating_sub(cached);
        Some(limit.saturating_sub(used))
    }
}

/// Bytes of the images in a directory whose files are memory.
fn images_in_memory(directory: &Path) -> u64 {
    if !is_memory(directory) {
        return 0;
    }
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|extension| extension == super::image::EXTENSION)
        })
        .filter_map(|entry| entry.metadata().ok())
        .map(|metadata| metadata.len())
        .sum()
}

fn is_memory(directory: &Path) -> bool {
    const TMPFS_MAGIC: i64 = 0x0102_1994;
    rustix::fs::statfs(directory).is_ok_and(|stat| stat.f_type as i64 == TMPFS_MAGIC)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(root: &Path, path: &str, files: &[(&str, &str)]) {
        let directory = root.join(path);
        fs::create_dir_all(&directory).unwrap();
        for (name, text) in files {
            fs::write(directory.join(name), text).unwrap();
        }
    }

    #[test]
    fn available_memory_is_read() {
        assert_eq!(
            mem_available("MemTotal: 9 kB\nMemAvailable:   1234 kB\n"),
            Some(1234 << 10)
        );
        assert_eq!(mem_available("MemTotal: 9 kB\n"), None);
    }

    #[test]
    fn version_2_takes_the_tightest_group_above() {
        let root = tempfile::tempdir().unwrap();
        let stat = "anon 5\nactive_file 10\ninactive_file 20\nfile 30\n";
        let files = [
            ("memory.max", "1000\n"),
            ("memory.current", "130\n"),
            ("memory.stat", stat),
        ];
        group(root.path(), "a", &files);
        group(
            root.path(),
            "a/b",
            &[("memory.max", "max\n"), ("memory.current", "7\n")],
        );
        assert_eq!(group_room(root.path(), "0::/a/b\n"), Some(900));
        group(root.path(), "a/b", &[("memory.max", "500\n")]);
        assert_eq!(group_room(root.path(), "0::/a/b\n"), Some(493));
        // A path that is not mounted here.
        group(root.path(), "", &[("memory.max", "800\n")]);
        assert_eq!(group_room(root.path(), "0::/host/docker/c\n"), Some(800));
        assert_eq!(group_room(root.path(), "3:cpu:/\n"), None);
    }

    #[test]
    fn version_1_takes_the_limit_of_the_memory_controller() {
        let root = tempfile::tempdir().unwrap();
        let stat = "cache 40\ntotal_active_file 1\ntotal_inactive_file 2\n";
        let files = [
            ("memory.limit_in_bytes", "600\n"),
            ("memory.usage_in_bytes", "103\n"),
            ("memory.stat", stat),
        ];
        group(root.path(), "memory/x", &files);
        group(
            root.path(),
            "memory",
            &[("memory.limit_in_bytes", "9223372036854771712\n")],
        );
        assert_eq!(group_room(root.path(), "5:cpu,memory:/x\n1:cpu:/y\n"), Some(500));
    }

    #[test]
    fn this_host_has_room() {
        assert!(automatic(None) > 0);
    }
}
