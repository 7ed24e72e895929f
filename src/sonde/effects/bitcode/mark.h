/* Leaves a mark in what is compiled: which call of the compiler it comes from, and which of its files. */
#ifdef SONDE_CALL
#pragma GCC system_header
#define SONDE_AS_TEXT(word) #word
#define SONDE_TEXT(word) SONDE_AS_TEXT(word)
#ifdef __ASSEMBLER__
.pushsection .sonde_units,""
.ascii SONDE_TEXT(SONDE_CALL)
.ascii ":"
.ascii __BASE_FILE__
.byte 0
.popsection
#else
__asm__(".pushsection .sonde_units,\"\"\n"
        ".ascii \"" SONDE_TEXT(SONDE_CALL) ":" __BASE_FILE__ "\"\n"
        ".byte 0\n"
        ".popsection\n");
#endif
#undef SONDE_TEXT
#undef SONDE_AS_TEXT
#undef SONDE_CALL
#endif
