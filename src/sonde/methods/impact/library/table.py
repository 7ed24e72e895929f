"""The models of library functions, one line each.

    names (parameters): what it does; ...
        what is indented belongs to the line above

- `from -> to`: data goes there. `from => to`: pointers may be among it.
- `x` is a parameter's value, `*x` what lies where it points to, `**x` what lies where that points to,
  `rest` stands for this and all further arguments, `result` for the result, `@optarg` for what a global of
  the library holds. `@locale`, `@random-state` and the like have no name in C: functions keep them between
  calls.
- `cost x *y`: what its duration depends on (sizes, texts that it walks along).
- `fresh`: the result points to new memory. `fresh *x`: what `x` points to does.
- `own`: the result points to memory of the library, the same one for all calls.
- `calls f(x y)`: it calls what `f` points to, with these arguments.
- `stops`: it does not return. `nothing`: nothing of all this.

What is written to a stream can be read from it again (temporary files), but does not go to the result of
`fclose` or `ferror`: an error while writing is nobody's configuration.
"""

TABLE = """
# memory
memcpy memmove __memmove_chk __memcpy_chk (to from n): *from => *to; to => result; cost n
mempcpy (to from n): *from => *to; to => result; cost n
memccpy (to from c n): *from => *to; to => result; cost n *from
bcopy (from to n): *from => *to; cost n
memset memset_explicit (to c n): c -> *to; to => result; cost n
bzero explicit_bzero (to n): cost n
memcmp bcmp (a b n): *a *b n -> result; cost n *a *b
memchr memrchr rawmemchr memchr2 (s c n): *s c n -> result; s => result; cost n *s c
memmem (s n t m): *s *t n m -> result; s => result; cost n *s *t m
malloc valloc pvalloc xalloc (n): fresh; cost n
calloc (n size): fresh; cost n size
aligned_alloc memalign (alignment n): fresh; cost n
realloc reallocf (old n): fresh; *old => *result; old => result; cost n
reallocarray (old n size): fresh; *old => *result; old => result; cost n size
posix_memalign (at alignment n): fresh *at; cost n
alloca __builtin_alloca (n): fresh
free cfree (p): nothing
free_sized free_aligned_sized (p n): nothing
malloc_usable_size (p): nothing

# texts
strlen (s): *s -> result; cost *s
strnlen (s n): *s n -> result; cost *s n
strcpy strcpy_chk (to from): *from -> *to; to => result; cost *from
stpcpy (to from): *from -> *to; to => result; cost *from
strncpy stpncpy (to from n): *from n -> *to; to => result; cost *from n
strlcpy (to from n): *from n -> *to; *from -> result; cost *from
strcat (to from): *from -> *to; to => result; cost *from *to
strncat strlcat (to from n): *from n -> *to; to => result; cost *from *to n
strcmp strcasecmp strverscmp (a b): *a *b -> result; cost *a *b
strcoll (a b): *a *b @locale -> result; cost *a *b @locale
strncmp strncasecmp (a b n): *a *b n -> result; cost *a *b n
strxfrm (to from n): *from n @locale -> *to result; cost *from n @locale
strchr strrchr strchrnul index rindex (s c): *s c -> result; s => result; cost *s c
strstr strcasestr (s t): *s *t -> result; s => result; cost *s *t
strpbrk (s t): *s *t -> result; s => result; cost *s *t
strspn strcspn (s t): *s *t -> result; cost *s *t
strtok (s t): *s *t *@strtok-rest -> result; s => @strtok-rest; s @strtok-rest => result; cost *s *t
    @strtok-rest *@strtok-rest
strtok_r __strtok_r (s t at): *s *t **at -> result; s => result; s => *at; *at => result; cost *s *t **at
strsep (at t): **at *t -> result; *at => result; cost **at *t
strdup __strdup (s): fresh; *s -> *result; cost *s
strndup __strndup (s n): fresh; *s n -> *result; cost *s n
strerror (n): own; n -> result
strerror_r __xpg_strerror_r (n to size): n -> *to; to => result; n -> result
strsignal (n): own; n -> result
basename __xpg_basename dirname (s): *s -> result; s => result; cost *s
swab (from to n): *from -> *to; cost n
ffs ffsl ffsll (n): n -> result

# numbers in texts
atoi atol atoll atof (s): *s -> result; cost *s
strtol strtoul strtoll strtoull strtoimax strtoumax strtoq strtouq (s end base): *s base -> result; s =>
    *end; *s -> *end; cost *s
strtol_internal __strtol_internal __strtoul_internal (s end base group): *s base -> result; s => *end; cost
    *s
strtod strtof strtold (s end): *s -> result; s => *end; *s -> *end; cost *s

# characters
__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc (): own
isalpha isdigit isalnum isspace isupper islower ispunct isprint isgraph iscntrl isxdigit isblank isascii
    (c): c -> result
tolower toupper toascii _tolower _toupper (c): c -> result
iswalpha iswdigit iswalnum iswspace iswupper iswlower iswpunct iswprint iswgraph iswcntrl iswxdigit iswblank
    (c): c @locale -> result
towlower towupper towctrans iswctype (c kind): c kind @locale -> result
wctype wctrans (name): *name -> result
btowc wctob wcwidth (c): c @locale -> result
wcswidth (s n): *s n @locale -> result; cost *s n
mbtowc (to s n): *s n @locale -> *to result; cost n *s @locale
mblen (s n): *s n @locale -> result; cost n *s @locale
mbrtowc mbrtoc32 mbrtoc16 rpl_mbrtoc32 (to s n state): *s n *state @locale -> *to result; *s @locale ->
    *state; cost n *s @locale
mbrlen (s n state): *s n *state @locale -> result; *s @locale -> *state; cost n *s @locale
mbsinit (state): *state -> result
wctomb (to c): c @locale -> *to result
wcrtomb c32rtomb (to c state): c @locale -> *to result
mbstowcs wcstombs (to s n): *s n @locale -> *to result; cost n *s @locale
mbsrtowcs wcsrtombs (to s n state): **s n @locale -> *to result; cost n **s @locale
mbsnrtowcs (to s m n state): **s m n @locale -> *to result; cost m n **s @locale
wcslen (s): *s -> result; cost *s
wcscpy wcscat (to from): *from -> *to; to => result; cost *from
wcsncpy wmemcpy wmemmove (to from n): *from n -> *to; to => result; cost *from n
wcscmp (a b): *a *b -> result; cost *a *b
wcscoll (a b): *a *b @locale -> result; cost *a *b @locale
wcsncmp wmemcmp (a b n): *a *b n -> result; cost *a *b n
wcschr wcsrchr (s c): *s c -> result; s => result; cost *s c
wmemchr (s c n): *s c n -> result; s => result; cost n *s
wmemset (to c n): c -> *to; to => result; cost n
wcstol wcstoul (s end base): *s -> result; s => *end; cost *s
__ctype_get_mb_cur_max (): @locale -> result

# language
setlocale (category name): own; *name category -> result @locale
newlocale (mask name base): fresh; *name -> *result
uselocale (locale): locale *locale -> @locale; locale => result
duplocale freelocale (locale): locale => result
localeconv nl_langinfo (item): own; item @locale -> result
gettext (text): own; *text -> *result; text => result; text -> result
dgettext (domain text): text => result
dcgettext (domain text category): text => result
ngettext (one many n): one many => result; n -> result
dngettext (domain one many n): one many => result; n -> result
dcngettext (domain one many n category): one many => result; n -> result
textdomain bindtextdomain bind_textdomain_codeset (domain other): nothing
iconv_open (to from): fresh
iconv (handle from fromleft to toleft): **from -> **to; *from *fromleft *to *toleft -> result; *fromleft ->
    *toleft; cost *fromleft **from
iconv_close (handle): nothing

# writing texts
printf (format rest): cost *format rest *rest; rest *rest -> result
vprintf (format list): cost *format *list
fprintf (stream format rest): *format rest *rest -> *stream; cost *format rest *rest
vfprintf (stream format list): *format *list **list -> *stream; cost *format *list
sprintf (to format rest): *format rest *rest -> *to result; cost *format rest *rest
vsprintf (to format list): *format *list **list -> *to result; cost *format *list
snprintf (to n format rest): n *format rest *rest -> *to result; cost n *format rest *rest
vsnprintf (to n format list): n *format *list **list -> *to result; cost n *format *list
asprintf (at format rest): fresh *at; *format rest *rest -> **at result; cost *format rest *rest
vasprintf (at format list): fresh *at; *format *list **list -> **at result; cost *format *list
dprintf (fd format rest): cost *format rest *rest
vdprintf (fd format list): cost *format *list
__printf_chk (flag format rest): cost *format rest *rest; rest *rest -> result
__vprintf_chk (flag format list): cost *format *list
__fprintf_chk (stream flag format rest): *format rest *rest -> *stream; cost *format rest *rest
__vfprintf_chk (stream flag format list): *format *list **list -> *stream; cost *format *list
__sprintf_chk (to flag size format rest): *format rest *rest -> *to result; cost *format rest *rest
__vsprintf_chk (to flag size format list): *format *list **list -> *to result; cost *format *list
__snprintf_chk (to n flag size format rest): n *format rest *rest -> *to result; cost n *format rest *rest
__vsnprintf_chk (to n flag size format list): n *format *list **list -> *to result; cost n *format *list
__asprintf_chk (at flag format rest): fresh *at; *format rest *rest -> **at result; cost *format rest *rest
__vasprintf_chk (at flag format list): fresh *at; *format *list **list -> **at result; cost *format *list
__dprintf_chk (fd flag format rest): cost *format rest *rest
wprintf fwprintf swprintf (rest): cost rest *rest
puts (s): cost *s
fputs (s stream): *s -> *stream; cost *s
fputws (s stream): *s -> *stream; cost *s
putchar putwchar (c): c -> result
putc fputc putwc fputwc _IO_putc (c stream): c -> *stream; c -> result
putw (c stream): c -> *stream
fwrite (s size n stream): *s size n -> *stream; size n -> result; cost size n *s
__overflow (stream c): c -> *stream; c -> result
perror (s): cost *s
psignal (n s): cost *s
write (fd s n): n -> result; cost n *s
pwrite (fd s n at): n -> result; cost n *s
writev pwritev (fd list n): n -> result; cost n *list
send (fd s n flags): n -> result; cost n
sendto (fd s n flags to size): n -> result; cost n
sendmsg (fd message flags): *message -> result; cost *message
error error_at_line verror (status rest): nothing
err errx verr verrx (status rest): stops
warn warnx vwarn vwarnx (rest): nothing
syslog vsyslog (rest): nothing

# reading texts
fgets (to n stream): *stream n -> *to; to => result; *stream -> result; cost n *stream
__fgets_chk __fgets_unlocked_chk (to room n stream): *stream n -> *to; to => result; *stream -> result; cost
    n *stream
fgetws (to n stream): *stream n -> *to; to => result; cost n *stream
gets (to): *@stdin -> *to; to => result
getc fgetc getwc fgetwc _IO_getc getw (stream): *stream -> result; cost *stream
__uflow __underflow (stream): *stream -> result; cost *stream
getchar getwchar (): *@stdin -> result
ungetc ungetwc (c stream): c -> *stream; c -> result
getline (at size stream): fresh *at; *stream -> **at; *stream -> result; *stream -> *size; cost *stream
getdelim __getdelim (at size delimiter stream): fresh *at; *stream delimiter -> **at; *stream delimiter ->
    result; *stream -> *size; cost *stream delimiter
fread (to size n stream): *stream size n -> *to; *stream size n -> result; cost size n *stream
__fread_chk (to room size n stream): *stream size n -> *to; *stream size n -> result; cost size n *stream
scanf (format rest): *@stdin *format -> *rest result; cost *format
fscanf (stream format rest): *stream *format -> *rest result; cost *format *stream
sscanf (s format rest): *s *format -> *rest result; cost *format *s
vfscanf vsscanf (s format list): *s *format -> **list result; cost *format *s
read (fd to n): fd n -> *to result; cost n fd
__read_chk (fd to n room): fd n -> *to result; cost n fd
pread (fd to n at): fd n at -> *to result; cost n fd
readv preadv (fd list n): fd n -> **list result; cost n fd
recv (fd to n flags): fd n -> *to result; cost n
recvfrom (fd to n flags from size): fd n -> *to result *from *size; cost n
recvmsg (fd message flags): fd -> **message result
getrandom getentropy (to n): n -> *to; cost n

# streams and files
fopen (name mode): fresh; *name *mode -> *result
fdopen (fd mode): fresh; fd *mode -> *result
freopen (name mode stream): stream => result; *name -> *stream
tmpfile (): fresh
popen (command mode): fresh; *command -> *result; cost *command
fmemopen (p n mode): fresh; *p -> *result
open_memstream (at size): fresh; fresh *at
fclose pclose (stream): nothing
fflush fpurge __fpurge (stream): nothing
setvbuf (stream buffer mode n): nothing
setbuf (stream buffer): nothing
setlinebuf (stream): nothing
fseek fseeko (stream at whence): at whence -> *stream
ftell ftello (stream): *stream -> result
rewind (stream): nothing
fgetpos fsetpos (stream at): nothing
feof ferror clearerr fileno (stream): stream -> result
__freading __fwriting __freadable __fwritable __fbufsize __fpending __flbf (stream): *stream -> result
flockfile funlockfile ftrylockfile posix_fadvise (stream): nothing
fwide (stream mode): nothing
open open64 creat __open_2 (name rest): *name rest -> result
openat (fd name rest): fd *name rest -> result
close (fd): nothing
dup (fd): fd -> result
dup2 dup3 (fd other): fd other -> result
pipe pipe2 (fds): nothing
lseek (fd at whence): fd at whence -> result
stat lstat __xstat __lxstat (name to): *name -> *to result
fstat (fd to): fd -> *to result
fstatat __fxstatat (fd name to flags): fd *name flags -> *to result
__fxstat (version fd to): fd -> *to result
statfs statvfs fstatfs fstatvfs (name to): name *name -> *to result
access faccessat euidaccess eaccess (name mode): *name mode -> result
readlink (name to n): *name n -> *to result
readlinkat (fd name to n): fd *name n -> *to result
realpath canonicalize_file_name (name to): fresh; *name -> *to *result; to => result
getcwd (to n): to => result; n -> *to
unlink rmdir remove mkdir chmod chdir mkfifo mknod link symlink rename chown lchown utime truncate (name
    rest): *name rest *rest -> result
unlinkat mkdirat fchmodat linkat symlinkat renameat renameat2 fchownat utimensat (fd name rest): *name ->
    result
fchmod fchown ftruncate fsync fdatasync fchdir futimens fallocate posix_fallocate (fd rest): fd rest ->
    result
umask (mode): mode -> result
mkstemp mkostemp mkstemps mkdtemp mktemp (name): *name -> result *name
opendir fdopendir (name): fresh; *name name -> *result
readdir readdir_r (directory): own; directory => result; *directory -> result
closedir rewinddir dirfd (directory): directory -> result
scandir (name at choose compare): fresh *at; *name -> **at; calls choose(*at); calls compare(*at *at)
ftw nftw (name f rest): calls f(name)
fts_open (names options compare): fresh; names => *result
glob glob64 (pattern flags f to): *pattern flags -> *to result
globfree (p): nothing
fnmatch (pattern s flags): *pattern *s flags -> result; cost *pattern *s
isatty ttyname (fd): own; fd -> result
fcntl fcntl64 ioctl (fd command rest): fd command rest -> result *rest
select pselect (n a b c time rest): *a *b *c n -> *a *b *c result
poll ppoll (list n time): *list n time -> *list result; cost n
epoll_create epoll_create1 (n): n -> result
epoll_ctl (fd op other event): nothing
epoll_wait (fd list n time): n -> *list result
mmap mmap64 (at n protection flags fd offset): fresh; fd offset n -> *result; fd n -> result; cost n
munmap mprotect madvise posix_madvise msync mlock (p n rest): n -> result; cost n
mremap (old n m flags): old => result; n m -> result
sendfile copy_file_range splice (a b c d e f): a b c d e -> result; cost d e
sync (): nothing

# sorting and searching
qsort (base n size compare): calls compare(base base); *base -> *base; n size -> *base; cost n size *base
qsort_r (base n size compare x): calls compare(base base x); *base -> *base; n size -> *base; cost n size
    *base
bsearch (key base n size compare): calls compare(key base); base => result; *key *base n -> result; cost n
    size *base *key
lfind (key base n size compare): calls compare(key base); base => result; *key *base *n -> result; cost *n
    size *base *key
lsearch (key base n size compare): calls compare(key base); base => result; *key => *base; cost *n size
tsearch (key at compare): fresh *at; calls compare(key **at); key => **at; *at => result; *key -> result
tfind (key at compare): calls compare(key **at); *at => result; *key -> result
tdelete (key at compare): calls compare(key **at); *at => result; *key -> result **at
twalk (root f): calls f(root)
twalk_r (root f x): calls f(root root x)
tdestroy (root f): calls f(*root)
hsearch (key x action): own; key x => *result; *key *x action -> *result; *key -> result

# processes
exit _exit _Exit quick_exit (status): stops
abort __stack_chk_fail __chk_fail __fortify_fail (): stops
__assert_fail __assert __assert_rtn (a b c d): stops
# What is jumped with comes out of the buffer, as if it were stored there.
longjmp siglongjmp _longjmp __longjmp_chk (buffer value): value -> *buffer; stops
setjmp _setjmp sigsetjmp __sigsetjmp (buffer rest): *buffer -> result
atexit at_quick_exit (f): calls f()
on_exit (f x): calls f(x x)
__cxa_atexit (f x handle): calls f(x)
fork vfork getpid getppid getuid geteuid getgid getegid getpgrp setsid gettid (): nothing
wait wait3 (at rest): nothing
waitpid wait4 (pid at flags rest): pid flags -> result *at
execv execvp execve execvpe fexecve execl execlp execle (name rest): nothing
system (command): *command -> result; cost *command
kill raise killpg (pid n): pid n -> result
signal __sysv_signal bsd_signal sigset (n f): calls f(n); f => result
sigaction (n new old): calls *new(n); *new => *old
sigemptyset sigfillset (set): nothing
sigaddset sigdelset (set n): n -> *set
sigismember (set n): *set n -> result
sigprocmask pthread_sigmask (how new old): *new -> *old
sigsuspend sigpending sigaltstack pause alarm ualarm siginterrupt setitimer getitimer (rest): nothing
getenv secure_getenv (name): *name -> result; *@environ => result; *name -> result
setenv (name value overwrite): *name *value overwrite -> **@environ
unsetenv (name): *name -> *@environ
clearenv (): @environ -> *@environ
putenv (text): text => *@environ
sleep usleep nanosleep clock_nanosleep sched_yield (rest): cost rest *rest
getrlimit setrlimit getrusage getpriority setpriority sysinfo uname gethostname getdomainname times (n to):
    n -> *to
sysconf pathconf fpathconf getpagesize get_nprocs getdtablesize (n rest): n -> result
getpwnam getpwuid getgrnam getgrgid getlogin getservbyname gethostbyname getprotobyname (name): own; name
    *name -> result *result
getpwnam_r getpwuid_r (name to buffer n at): name *name -> *to *buffer; to => *at
endpwent endgrent setpwent setgrent getpwent getgrent (): own
socket bind listen accept accept4 connect shutdown setsockopt getsockopt getsockname getpeername socketpair
    (rest): rest -> result *rest
getaddrinfo (node service hints at): fresh *at; *node *service *hints -> **at result
freeaddrinfo gai_strerror (p): p -> result
inet_ntop (kind from to n): *from kind -> *to; to => result
inet_pton (kind from to): *from kind -> *to result
htons htonl ntohs ntohl (n): n -> result
dlopen dlerror dlclose dladdr (name rest): own
__errno_location __error (): own
getopt __posix_getopt (argc argv options): argc **argv *options @optind -> result; *argv => @optarg; argc
    **argv @optind -> @optind; **argv -> @optopt; cost argc
getopt_long getopt_long_only (argc argv options long at): argc **argv *options *long @optind -> result;
    *argv => @optarg; argc **argv @optind -> @optind; **argv -> @optopt; **argv *long -> *at **long; cost
    argc
getsubopt (at tokens value): **at *tokens -> result; *at => *value
wordexp (text to flags): *text flags -> *to result
wordfree (p): nothing
regcomp (to pattern flags): *pattern flags -> *to result; cost *pattern
regexec (regex s n matches flags): *regex *s n flags -> result *matches; cost *regex *s n
regerror (n regex to size): n -> *to
regfree (p): nothing
re_compile_pattern (pattern n to): *pattern n -> *to result; cost *pattern n
re_search re_match (regex s n at range registers): *regex *s n at range -> result *registers; cost *regex *s
    n range
re_set_syntax (n): n -> result
re_compile_fastmap re_set_registers (regex rest): nothing
obstack_free _obstack_begin _obstack_newchunk _obstack_free (o rest): rest => *o
crc32 adler32 (seed s n): seed *s n -> result; cost n *s

# threads
pthread_create (at attributes f x): calls f(x); x => *at
pthread_join (thread at): nothing
pthread_exit thrd_exit (x): stops
pthread_once call_once (once f): calls f()
pthread_key_create (at f): calls f(at)
pthread_setspecific (key x): x => @pthread-specific
pthread_getspecific (key): @pthread-specific => result
pthread_self (): nothing
pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutex_destroy (m
    rest): nothing
pthread_cond_init pthread_cond_wait pthread_cond_timedwait pthread_cond_signal pthread_cond_broadcast
    pthread_cond_destroy (c rest): nothing
pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock pthread_rwlock_destroy
    (m rest): nothing
pthread_attr_init pthread_attr_destroy pthread_attr_setstacksize pthread_attr_setdetachstate pthread_detach
    pthread_cancel pthread_kill (a rest): nothing
pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy pthread_spin_init
    pthread_spin_lock pthread_spin_unlock (a rest): nothing
pthread_setcancelstate pthread_setcanceltype pthread_atfork pthread_setname_np pthread_setaffinity_np
    sched_getaffinity sched_setaffinity (a rest): nothing
sem_init sem_wait sem_trywait sem_timedwait sem_post sem_destroy (s rest): nothing
thrd_create (at f x): calls f(x)

# time
time (to): nothing
gettimeofday clock_gettime clock_getres (a b): nothing
settimeofday clock_settime (a b): nothing
clock (): nothing
gmtime localtime (at): own; *at -> *result
gmtime_r localtime_r localtime_rz (at to): *at -> *to; to => result
mktime timegm timelocal (to): *to -> result *to
strftime nstrftime (to n format time rest): n *format *time -> *to result; cost n *format
strptime (s format to): *s *format -> *to result; s => result; cost *s
asctime ctime (at): own; *at -> *result
asctime_r ctime_r (at to): *at -> *to; to => result
difftime (a b): a b -> result
tzset (): nothing
timer_create timer_settime timer_delete (rest): nothing

# numbers
abs labs llabs imaxabs (n): n -> result
div ldiv lldiv (a b): a b -> result
rand random lrand48 mrand48 drand48 (): @random-state -> result @random-state
arc4random (): nothing
rand_r erand48 nrand48 jrand48 (at): *at -> result *at
srand srandom srand48 (n): n -> @random-state
seed48 lcong48 (at): own; *at -> @random-state
initstate (n at size): n size -> @random-state; at => result
setstate (at): *at -> @random-state; at => result
sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p logb
    sqrt cbrt floor ceil round trunc rint nearbyint lrint llrint lround llround fabs erf erfc tgamma lgamma
    significand (x): x -> result
sinf cosf tanf asinf acosf atanf expf exp2f logf log2f log10f sqrtf cbrtf floorf ceilf roundf truncf rintf
    fabsf lrintf lroundf (x): x -> result
sinl cosl tanl expl logl log2l log10l sqrtl floorl ceill roundl truncl rintl fabsl (x): x -> result
pow atan2 fmod remainder hypot fmin fmax fdim copysign nextafter drem (x y): x y -> result
powf atan2f fmodf hypotf fminf fmaxf copysignf powl fmodl atan2l fminl fmaxl nextafterl (x y): x y -> result
fma fmaf (x y z): x y z -> result
ldexp ldexpl ldexpf scalbn scalbln scalbnl (x n): x n -> result
frexp frexpl frexpf modf modff modfl (x at): x -> result *at
lgamma_r sincos (x a b): x -> result *a *b
isnan isinf finite isnanf isinff isnanl isinfl __isnan __isinf __finite __fpclassify __signbit (x): x ->
    result

# what the compiler itself calls
llvm.memcpy llvm.memmove llvm.memcpy.inline (to from n): *from => *to; cost n
llvm.memset llvm.memset.inline (to c n): c -> *to; cost n
llvm.va_start (list): nothing
llvm.va_end (list): nothing
llvm.va_copy (to from): *from => *to
llvm.lifetime llvm.dbg llvm.assume llvm.experimental.noalias.scope.decl llvm.donothing llvm.prefetch
    llvm.invariant llvm.pseudoprobe llvm.fake.use (rest): nothing
llvm.stacksave llvm.stackrestore llvm.frameaddress llvm.returnaddress llvm.eh llvm.readcyclecounter
    llvm.localescape llvm.is.constant (rest): nothing
llvm.expect llvm.ssa.copy llvm.launder.invariant.group llvm.strip.invariant.group llvm.ptr.annotation
    llvm.threadlocal.address llvm.ptrmask llvm.abs llvm.ctpop llvm.ctlz llvm.cttz llvm.bswap llvm.bitreverse
    (x rest): x => result; rest -> result
llvm.objectsize (p rest): nothing
llvm.trap llvm.ubsantrap (rest): stops
llvm.debugtrap (): nothing

# C++
_Znwm _Znam _Znwj _Znaj (n): fresh; cost n
_ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _ZnwmSt11align_val_t _ZnamSt11align_val_t
    _ZnwmSt11align_val_tRKSt9nothrow_t (n rest): fresh; cost n
_ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdlPvmSt11align_val_t (p rest): nothing
__cxa_allocate_exception (n): fresh
__cxa_free_exception __cxa_end_catch __cxa_call_unexpected (rest): nothing
__cxa_throw (p type f): calls f(p); stops
__cxa_rethrow _Unwind_Resume __cxa_bad_cast __cxa_bad_typeid __cxa_throw_bad_array_new_length (rest): stops
__cxa_begin_catch __cxa_get_exception_ptr (p): p => result
__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort __cxa_thread_atexit (p rest): nothing
__cxa_pure_virtual __cxa_deleted_virtual _ZSt9terminatev __clang_call_terminate (rest): stops
__dynamic_cast (p from to hint): p => result
__cxa_demangle (name to n status): fresh; *name -> *result *status
__gxx_personality_v0 __gcc_personality_v0 (rest): nothing
_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_ (left x p root): x p => *root *p *x; left
    -> *p *x *root; p => *x
_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_ (x root): *x => *root; x => result
_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base (x): *x =>
    result; x => result
_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base (x): *x =>
    result; x => result
_ZNSt8__detail15_List_node_base7_M_hookEPS0_ (x p): x p => *x *p; *p => *x
_ZNSt8__detail15_List_node_base9_M_unhookEv (x): *x => *x
"""

BY_PREFIX = (
    # std::ostream: what is written goes to the stream, which is returned.
    ("_ZNSolsE", "ostream (stream rest): stream => result; rest *rest -> *stream; cost rest *rest"),
    ("_ZStlsI", "ostream (stream rest): stream => result; rest *rest -> *stream; cost rest *rest"),
    ("_ZNSo", "ostream (stream rest): stream => result; rest *rest -> *stream; cost rest *rest"),
    # std::istream: what is read comes from the stream, which is returned.
    ("_ZNSirsE", "istream (stream rest): stream => result; *stream -> *rest; cost *stream"),
    ("_ZStrsI", "istream (stream rest): stream => result; *stream -> *rest; cost *stream"),
    ("_ZNSi", "istream (stream rest): stream => result; *stream -> *rest result; cost *stream"),
    ("_ZSt7getline", "getline (stream rest): stream => result; *stream -> *rest; cost *stream"),
    ("_ZSt4endl", "endl (stream): stream => result"),
    ("_ZNSt8ios_base", "ios_base (stream rest): nothing"),
    # What throws when a container is used wrongly.
    ("_ZSt20__throw", "throw (rest): stops"),
    ("_ZSt19__throw", "throw (rest): stops"),
    ("_ZSt17__throw", "throw (rest): stops"),
    ("_ZSt16__throw", "throw (rest): stops"),
    ("_ZSt24__throw", "throw (rest): stops"),
    ("_ZSt25__throw", "throw (rest): stops"),
    ("_ZSt28__throw", "throw (rest): stops"),
    # Arithmetic of the compiler: overflow checks, rounding, minimum, ...
    ("llvm.", "intrinsic (rest): rest => result"),
    ("__atomic_", "atomic (p rest): *p rest *rest => result; rest *rest => *p"),
    ("__sync_", "atomic (p rest): *p rest => result; rest => *p"),
    ("pthread_", "thread (rest): rest -> result"),
)
