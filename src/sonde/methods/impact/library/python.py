"""The models of what Python programs use beside their own code, in the language of `table`.

Names begin with `python.`, those of methods with `python.object.`: the object is their first argument. What a
container holds is what it points to. Whatever has no line here is taken to put all of its arguments into all
others and into its result, which is new. `foreign` says that what it makes may be called, and has any
attributes: they are what it holds.
"""

PYTHON_TABLE = """
python.new (): fresh
python.later (f): calls f()
python.raise (p rest): p -> result; stops
python.assert python.fail (rest): stops
python.exit (status): stops
python.called (rest): foreign; own; rest *rest => result; rest *rest -> *result; rest => *rest; *rest ->
    *rest; cost rest *rest
python.argument python.argparse (rest): fresh
python.argv (): nothing
python.may_raise (rest): rest *rest -> result

# numbers, texts and questions
python.len python.abs python.round python.int python.float python.complex python.bool python.ord python.chr
    python.hash python.id python.hex python.oct python.bin python.isinstance python.issubclass
    python.callable python.repr python.str python.ascii python.format python.pow python.divmod python.any
    python.all python.hasattr python.bytes python.bytearray python.memoryview python.range python.slice
    python.input python.math.sqrt python.math.floor python.math.ceil python.math.log python.math.log2
    python.math.log10 python.math.exp python.math.sin python.math.cos python.math.pow python.math.gcd
    python.math.prod python.math.fabs python.math.isnan python.math.hypot python.time.time
    python.time.perf_counter python.time.monotonic python.time.process_time python.os.getpid
    python.os.path.join python.os.path.exists python.os.path.basename python.os.path.dirname
    python.os.path.isfile python.os.path.isdir python.os.path.abspath python.os.path.getsize
    python.os.path.splitext python.os.getenv python.os.environ.get python.re.escape python.sys.getsizeof
    python.zlib.compress python.zlib.decompress python.zlib.crc32 python.zlib.adler32 python.struct.pack
    python.struct.unpack python.struct.calcsize python.json.dumps python.textwrap.dedent (rest): rest *rest
    -> result; cost rest *rest
python.print python.logging.debug python.logging.info python.logging.warning python.logging.error
    python.sys.stdout.write python.sys.stderr.write python.sys.stdout.flush python.warnings.warn (rest):
    cost rest *rest
python.time.sleep (rest): cost rest
python.sum python.min python.max python.getattr python.vars python.functools.reduce python.reduce (rest):
    rest *rest => result; cost rest *rest
python.next (rest): rest *rest => result; *rest -> *rest; cost rest *rest

# new containers
python.list python.tuple python.set python.frozenset python.sorted python.reversed python.iter
    python.copy.copy python.copy.deepcopy python.collections.deque python.deque python.itertools.chain
    python.itertools.islice python.itertools.chain.from_iterable python.itertools.cycle python.filter
    python.itertools.repeat (rest): fresh; *rest => *result; rest -> result *result; cost rest *rest
python.dict python.collections.OrderedDict python.collections.Counter python.collections.defaultdict
    python.OrderedDict python.Counter python.defaultdict python.types.SimpleNamespace python.SimpleNamespace
    python.map (rest): fresh; rest *rest => *result; rest -> result; cost rest *rest
python.zip python.enumerate python.itertools.product python.itertools.combinations
    python.itertools.permutations python.itertools.groupby python.itertools.zip_longest (rest): fresh; *rest
    result => *result; rest -> result *result; cost rest *rest

# methods of containers
python.object.append python.object.add python.object.appendleft python.object.insert (self rest): rest =>
    *self; cost rest
python.object.extend python.object.update python.object.extendleft (self rest): rest *rest => *self; cost
    rest *rest
python.object.setdefault (self rest): rest => *self; *self rest => result
python.object.get (self rest): *self rest => result; self -> result
python.object.pop python.object.popleft python.object.popitem (self rest): *self rest => result; self rest
    -> result *self
python.object.items (self): fresh; *self result => *result; self -> result *result; cost *self
python.object.keys python.object.values python.object.copy python.object.union python.object.intersection
    python.object.difference python.object.symmetric_difference (self rest): fresh; *self *rest => *result;
    self rest -> result *result; cost *self *rest
python.object.sort python.object.reverse python.object.clear python.object.remove python.object.discard
    python.object.rotate (self rest): rest self -> *self; *self -> *self; cost *self

# patterns, and what they find
python.object.match python.object.search python.object.fullmatch python.object.finditer python.object.findall
    (rest): fresh; rest *rest -> result *result; result => *result; cost rest *rest
python.object.group python.object.groups python.object.groupdict python.object.start python.object.end
    python.object.span python.object.expand python.object.sub python.object.subn python.bisect.bisect
    python.bisect.bisect_left python.bisect.bisect_right (rest): rest *rest -> result; cost rest *rest
python.typing.cast (type value): value => result

# methods of texts and numbers
python.object.split python.object.rsplit python.object.strip python.object.lstrip python.object.rstrip
    python.object.replace python.object.encode python.object.decode python.object.startswith
    python.object.endswith python.object.lower python.object.upper python.object.title
    python.object.capitalize python.object.format python.object.find python.object.rfind python.object.index
    python.object.rindex python.object.count python.object.ljust python.object.rjust python.object.center
    python.object.zfill python.object.splitlines python.object.partition python.object.rpartition
    python.object.isdigit python.object.isalpha python.object.isalnum python.object.isspace
    python.object.isupper python.object.islower python.object.isidentifier python.object.isnumeric
    python.object.translate python.object.swapcase python.object.removeprefix python.object.removesuffix
    python.object.casefold python.object.expandtabs python.object.join python.object.hex
    python.object.bit_length python.object.to_bytes python.object.from_bytes python.object.is_integer
    python.object.tobytes python.object.issubset python.object.issuperset python.object.isdisjoint
    python.object.hexdigest python.object.digest (rest): rest *rest -> result; cost rest *rest
"""

PYTHON_PREFIX = "python."
# Modules whose functions neither keep objects of the program nor write to what they are given.
PYTHON_READING = (
    *("re", "os", "sys", "time", "math", "json", "struct", "zlib", "hashlib", "string", "textwrap", "io"),
    *("codecs", "locale", "platform", "datetime", "fnmatch", "glob", "shutil", "tempfile", "base64"),
    *("binascii", "unicodedata", "difflib", "keyword", "tokenize", "token", "calendar", "statistics", "html"),
    *("urllib.parse", "gzip", "bz2", "lzma", "secrets", "uuid", "colorsys", "cmath", "subprocess", "open"),
)
PYTHON_READER = (
    "reader (rest): foreign; fresh; rest *rest -> result *result; result => *result; cost rest *rest"
)
# Calls whose elements are copied by instructions of their own, by the beginning of their names.
PYTHON_COPIED = {
    "python.gathered.": "gathered (rest): fresh; rest *rest -> result *result; cost rest *rest",
    "python.paired.": (
        "paired (rest): fresh; rest *rest -> result *result; result => *result; cost rest *rest"
    ),
    "python.extended.": "extended (self rest): rest *rest -> *self; cost rest *rest",
}
PYTHON_VALUES = "python.value."  # names of what modules of libraries hold
PYTHON_VALUE = "value (): foreign; own"
PYTHON_UNKNOWN = (
    "unknown (rest): foreign; fresh; rest *rest => result; rest *rest -> *result; result => *result; "
    "rest => *rest; *rest -> *rest; cost rest *rest"
)
