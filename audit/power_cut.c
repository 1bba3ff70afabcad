/* A library to preload: keeps what a power cut would leave of the files of a process.
 *
 * A cut keeps of a file what was there when it was last synced, and of a folder the names that it had
 * when it was last synced. Both are copied into the folder $POWER_CUT_KEPT at each fsync and fdatasync:
 * a file as `f-INODE-BIRTH`, a folder as `d-INODE-BIRTH` with a line `TYPE INODE BIRTH NAME` an entry.
 * `audit/cuts.py` puts together from these what is on the disk after the cut.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long copies;

static int identity(int folder, const char *name, int flags, char *key, size_t size, mode_t *mode)
{
    struct statx found;
    if (statx(folder, name, flags | AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &found) != 0)
        return -1;
    snprintf(key, size, "%llu-%lld.%09u", (unsigned long long)found.stx_ino,
             (long long)found.stx_btime.tv_sec, found.stx_btime.tv_nsec);
    *mode = found.stx_mode;
    return 0;
}

static int copy_file(int file, int kept)
{
    char block[1 << 16];
    off_t place = 0;
    ssize_t length;
    while ((length = pread(file, block, sizeof block, place)) > 0) {
        if (write(kept, block, length) != length)
            return -1;
        place += length;
    }
    return length < 0 ? -1 : 0;
}

static int copy_folder(int folder, int kept)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY);
    DIR *stream = again < 0 ? NULL : fdopendir(again);
    struct dirent *entry;
    if (stream == NULL)
        return -1;
    while ((entry = readdir(stream)) != NULL) {
        char key[128];
        mode_t mode;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (identity(folder, entry->d_name, 0, key, sizeof key, &mode) != 0)
            continue;
        dprintf(kept, "%c %s %s\n", S_ISDIR(mode) ? 'd' : 'f', key, entry->d_name);
    }
    closedir(stream);
    return 0;
}

static void keep(int synced)
{
    const char *place = getenv("POWER_CUT_KEPT");
    char key[128], fresh[PATH_MAX], name[PATH_MAX], opened[64];
    mode_t mode;
    int was = errno, kept, source, again;
    if (place == NULL || identity(synced, "", AT_EMPTY_PATH, key, sizeof key, &mode) != 0)
        return;
    if (!S_ISREG(mode) && !S_ISDIR(mode))
        return;
    pthread_mutex_lock(&lock);
    snprintf(fresh, sizeof fresh, "%s/.fresh-%d-%lu", place, (int)getpid(), copies++);
    snprintf(name, sizeof name, "%s/%c-%s", place, S_ISDIR(mode) ? 'd' : 'f', key);
    /* One that is open for writing alone is opened again. Closing another drops the locks of SQLite. */
    snprintf(opened, sizeof opened, "/proc/self/fd/%d", synced);
    again = (fcntl(synced, F_GETFL) & O_ACCMODE) == O_WRONLY;
    kept = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (S_ISDIR(mode)) {
        if (kept >= 0 && copy_folder(synced, kept) == 0)
            rename(fresh, name);
    } else {
        source = again ? open(opened, O_RDONLY) : synced;
        if (kept >= 0 && source >= 0 && copy_file(source, kept) == 0)
            rename(fresh, name);
        if (again && source >= 0)
            close(source);
    }
    if (kept >= 0)
        close(kept);
    pthread_mutex_unlock(&lock);
    errno = was;
}

static int synced(int file)
{
    if (fcntl(file, F_GETFD) < 0)
        return -1;
    keep(file); /* The disk itself need not be waited for: nothing but the copies is looked at. */
    return 0;
}

int fsync(int file)
{
    return synced(file);
}

int fdatasync(int file)
{
    return synced(file);
}
