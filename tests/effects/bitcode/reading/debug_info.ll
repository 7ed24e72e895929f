%struct.opts = type { i32, i8, %struct.anon }
%struct.anon = type { i32, i32 }
@opts = internal global %struct.opts zeroinitializer, !dbg !20
define i32 @NAME(i32 %n) !dbg !3 {
  %n.addr = alloca i32
  store i32 %n, ptr %n.addr
    #dbg_declare(ptr %n.addr, !6, !DIExpression(), !8)
  %v = load i32, ptr %n.addr, !dbg !9, !note !5
  %a = getelementptr %struct.anon, ptr @opts, i32 0, i32 1
  ret i32 %v, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: LANGUAGE, file: !1, emissionKind: FullDebug, globals: !22)
!1 = !DIFile(filename: "src/a.c", directory: "/project/tree")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "run", scope: SCOPE, file: !1, line: 4, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DILocalVariable(name: "n", arg: 1, scope: !3, file: !1, line: 4, type: !7)
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !23, size: 64)
!8 = !DILocation(line: 5, column: 2, scope: !3)
!9 = !DILocation(line: 7, scope: !10, inlinedAt: !8)
!10 = distinct !DILexicalBlockFile(scope: !3, file: !11, discriminator: 0)
!11 = !DIFile(filename: "/usr/include/b.h", directory: "")
!12 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !1, line: 1, size: 128, elements: !13)
!13 = !{!14, !15, !16, !17}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "level", scope: !12, file: !1, line: 1, baseType: !24, size: 32)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "quiet", scope: !12, file: !1, line: 1, baseType: !24, size: 1, offset: 32, flags: DIFlagBitField, extraData: i64 32)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "force", scope: !12, file: !1, line: 1, baseType: !24, size: 2, offset: 33, flags: DIFlagBitField, extraData: i64 32)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "in", scope: !12, file: !1, line: 1, baseType: !18, size: 64, offset: 64)
!18 = distinct !DICompositeType(tag: DW_TAG_structure_type, scope: !12, file: !1, line: 1, size: 64, elements: !19)
!19 = !{!25, !26}
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "opts", scope: !0, file: !1, line: 2, type: !23, isLocal: true, isDefinition: true)
!22 = !{!20}
!23 = !DIDerivedType(tag: DW_TAG_typedef, name: "opts", file: !1, line: 1, baseType: !12)
!24 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!25 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !18, file: !1, line: 1, baseType: !24, size: 32)
!26 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !18, file: !1, line: 1, baseType: !24, size: 32, offset: 32)
!27 = !DINamespace(name: "space", scope: null)
