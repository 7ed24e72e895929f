/* A tool of valgrind that counts the instructions of a program and of all that it starts, and nothing else.
 *
 *     valgrind --tool=sonde --trace-children=yes --counts=PIPE PROGRAM WORD...
 *
 * Before a process becomes another program, and when it ends, it writes a line to the pipe: how many
 * instructions it executed since its last line, or since it was forked. The sum of all lines is the answer,
 * whoever wrote them and in whatever order. A process that is killed from outside loses its last line.
 *
 * Threads take turns under valgrind, so that a plain counter is enough.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

static ULong executed;
static const HChar *counts = "/dev/null";

static void tell(void)
{
    HChar line[32];
    SysRes opened = VG_(open)(counts, VKI_O_WRONLY, 0);
    if (sr_isError(opened)) return;
    VG_(sprintf)(line, "%llu\n", executed);
    VG_(write)(sr_Res(opened), line, VG_(strlen)(line));
    VG_(close)(sr_Res(opened));
    executed = 0;
}

/* executed += number */
static void add(IRSB *block, UInt number)
{
#if defined(VG_BIGENDIAN)
    IREndness end = Iend_BE;
#else
    IREndness end = Iend_LE;
#endif
    IRExpr *place = mkIRExpr_HWord((HWord)&executed), *more = IRExpr_Const(IRConst_U64(number));
    IRTemp before = newIRTemp(block->tyenv, Ity_I64), after = newIRTemp(block->tyenv, Ity_I64);
    addStmtToIRSB(block, IRStmt_WrTmp(before, IRExpr_Load(end, Ity_I64, place)));
    addStmtToIRSB(block, IRStmt_WrTmp(after, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(before), more)));
    addStmtToIRSB(block, IRStmt_Store(end, place, IRExpr_RdTmp(after)));
}

/* Wherever a block may be left, what was executed in it until then is added. */
static IRSB *instrument(VgCallbackClosure *closure, IRSB *block, const VexGuestLayout *layout,
                        const VexGuestExtents *extents, const VexArchInfo *processor, IRType guest,
                        IRType host)
{
    IRSB *counting = deepCopyIRSBExceptStmts(block);
    UInt number = 0;
    for (Int at = 0; at < block->stmts_used; at++) {
        IRStmt *statement = block->stmts[at];
        if (statement == NULL) continue;
        if (statement->tag == Ist_IMark) number++;
        if (statement->tag == Ist_Exit && number > 0) {
            add(counting, number);
            number = 0;
        }
        addStmtToIRSB(counting, statement);
    }
    if (number > 0) add(counting, number);
    return counting;
}

static Bool take_option(const HChar *arg)
{
    if (VG_STR_CLO(arg, "--counts", counts)) return True;
    return False;
}

static void print_usage(void) { VG_(printf)("    --counts=<pipe>   where to write counts\n"); }
static void print_debug_usage(void) {}
static void begin(void) {}
static void begin_anew(ThreadId thread) { executed = 0; }

static void before_call(ThreadId thread, UInt number, UWord *words, UInt size)
{
    if (number == __NR_execve || number == __NR_execveat) tell();
}

static void after_call(ThreadId thread, UInt number, UWord *words, UInt size, SysRes result) {}
static void end(Int code) { tell(); }

static void initialise(void)
{
    VG_(details_name)("sonde");
    VG_(details_version)(NULL);
    VG_(details_description)("counts instructions");
    VG_(details_copyright_author)("the Sonde authors");
    VG_(details_bug_reports_to)("the Sonde authors");
    VG_(basic_tool_funcs)(begin, instrument, end);
    VG_(needs_command_line_options)(take_option, print_usage, print_debug_usage);
    VG_(needs_syscall_wrapper)(before_call, after_call);
    VG_(atfork)(NULL, NULL, begin_anew); /* the parent tells what it executed itself */
}

VG_DETERMINE_INTERFACE_VERSION(initialise)
