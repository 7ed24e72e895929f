"""The modules, functions and classes of a program, and what its names surely mean."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from sonde.formats.python_source.names.definitions import (
    Class,
    Foreign,
    ParameterOrder,
    PythonFunction,
    is_setter,
)
from sonde.formats.python_source.names.plain_names import find_plain_names
from sonde.formats.python_source.names.scopes import NameScope, Sort, scopes_of
from sonde.formats.python_source.names.texts import ProgramTexts
from sonde.formats.python_source.names.vocabulary import (
    FUNCTIONS,
    Vocabulary,
    last_name,
    setter,
)
from sonde.formats.python_source.sources import PythonSource

# Classes of the language whose methods call nothing of classes that inherit from them, but what is modelled.
PLAIN_BASES = frozenset(
    {"object", "ABC", "Enum", "IntEnum", "Flag", "IntFlag", "StrEnum", "Generic", "Protocol", "NamedTuple"}
    | {"TypedDict", "dict", "list", "set", "tuple", "str", "int", "float", "bytes", "frozenset", "type"}
    | {"defaultdict", "OrderedDict", "Counter", "deque", "SimpleNamespace", "Namespace", "ABCMeta"}
    | {"Iterator", "Iterable", "Hashable", "Sized", "Collection", "Callable", "bool", "local"}
)


@dataclass(eq=False)
class Module:
    """A module with what is in it."""

    source: PythonSource
    scope: NameScope
    scopes: dict[int, NameScope]

    @property
    def name(self) -> str:
        return self.source.module


Meaning = PythonFunction | Class | Module | Foreign


class Package:
    """All modules of a program."""

    def __init__(self, sources: Iterable[PythonSource], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.modules: dict[str, Module] = {}
        self.functions: dict[int, PythonFunction] = {}  # by the identity of their nodes
        self.classes: dict[int, Class] = {}
        self.by_name: dict[str, list[PythonFunction]] = {}  # methods, by their names
        self.assigned: dict[str, list[ast.expr | None]] = {}  # filled by `receivers`
        self._taken: set[str] = set()
        self._plain: dict[int, frozenset[str]] = {}
        for source in sources:
            scope, scopes = scopes_of(source.tree, source.module)
            self.modules.setdefault(source.module, Module(source, scope, scopes))
        for module in self.modules.values():
            for scope in module.scope.all():
                self._define(scope)
        self._inherit()
        self._add_assigned()

    def _define(self, scope: NameScope) -> None:
        if scope.sort is Sort.CLASS:
            assert isinstance(scope.node, ast.ClassDef)
            made = Class(scope.node, scope, self._unique(f"{scope.module}:{scope.qualname}"))
            made.attributes |= scope.bound.keys() | {"__name__"} & set(self.vocabulary.attributes)
            self.classes[id(scope.node)] = made
        elif scope.sort is Sort.FUNCTION:
            node = scope.node
            assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.GeneratorExp)
            owner = None
            if isinstance(node, FUNCTIONS) and scope.parent and scope.parent.sort is Sort.CLASS:
                owner = self.classes[id(scope.parent.node)]
            name = self._unique(f"{scope.module}:{scope.qualname}")
            made_function = PythonFunction(node, scope, name, owner, self._layout(node, owner))
            self.functions[id(node)] = made_function
            if owner is not None and isinstance(node, FUNCTIONS):
                owner.functions.setdefault(node.name, []).append(made_function)
                self.by_name.setdefault(node.name, []).append(made_function)
                if is_setter(node):
                    owner.attributes.add(setter(node.name))

    def _unique(self, name: str) -> str:
        number, found = 1, name
        while found in self._taken:
            number += 1
            found = f"{name}#{number}"
        self._taken.add(found)
        return found

    def _layout(self, node: ast.AST, owner: Class | None) -> ParameterOrder:
        if isinstance(node, ast.GeneratorExp):
            return ParameterOrder((".0",), False, (), False, 0)
        arguments: ast.arguments = node.args  # type: ignore[attr-defined]
        positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        is_static = any(last_name(each) == "staticmethod" for each in getattr(node, "decorator_list", ()))
        if owner is not None and not is_static:
            positional = positional[1:]
        return ParameterOrder(
            tuple(positional),
            arguments.vararg is not None,
            tuple(each.arg for each in arguments.kwonlyargs),
            arguments.kwarg is not None,
            self.vocabulary.slots,
        )

    def _inherit(self) -> None:
        for each in self.classes.values():
            bases = []
            for base in each.node.bases:
                outer = each.scope.parent
                plain = base.value if isinstance(base, ast.Subscript) else base  # `Parser[State]`
                found = self.meaning(plain, outer) if outer else None
                if isinstance(found, Class) and found is not each:
                    bases.append(found)
                else:
                    name = last_name(plain)
                    each.has_base = each.has_base or name not in ("object", "ABC", "Protocol", "Generic")
                    if name not in PLAIN_BASES and not name.endswith(("Error", "Exception", "Warning")):
                        each.has_foreign = True
            each.bases = tuple(bases)
        for each in self.classes.values():
            each.bases = tuple(base for base in each.bases if not _inherits(base, each))
        for each in self.classes.values():
            for above in each.order:
                above.heirs.append(each)
                each.has_foreign = each.has_foreign or above.has_foreign
                each.has_base = each.has_base or above.has_base

    def _add_assigned(self) -> None:
        """Attributes that are assigned to a class from outside of it, or by its class methods."""
        by_name: dict[str, list[Class]] = {}
        for made in self.classes.values():
            by_name.setdefault(made.node.name, []).append(made)
        for module in self.modules.values():
            for each in ast.walk(module.source.tree):
                if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
                    for made in by_name.get(last_name(each.value), ()):
                        made.attributes.add(each.attr)
                elif isinstance(each, ast.Call) and last_name(each.func) == "setattr" and len(each.args) == 3:
                    for made in by_name.get(last_name(each.args[0]), ()):
                        _assign_by_name(made, each.args[1])
        for made in self.classes.values():
            for decorator in made.node.decorator_list:
                self._assign_by_decorator(made, last_name(decorator))
        for function in self.functions.values():
            receiver, owner = function.receiver, function.owner
            if receiver is None or owner is None or not function.is_decorated("classmethod"):
                continue
            for each in ast.walk(function.node):
                if isinstance(each, ast.Attribute) and last_name(each.value) == receiver.arg:
                    owner.attributes |= {each.attr} if isinstance(each.ctx, ast.Store) else set()

    def _assign_by_decorator(self, made: Class, name: str) -> None:
        """What a function of the program assigns to the classes that it decorates."""
        for function in self.functions.values():
            if getattr(function.node, "name", "") != name:
                continue
            for each in ast.walk(function.node):
                if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
                    made.attributes.add(each.attr)
                elif isinstance(each, ast.Call) and last_name(each.func) == "setattr" and len(each.args) == 3:
                    _assign_by_name(made, each.args[1])

    @cached_property
    def texts(self) -> ProgramTexts:
        """What texts of the program name."""
        return ProgramTexts(
            {module.name: (module.source.tree, module.scope) for module in self.modules.values()}
        )

    def meaning(self, node: ast.expr, scope: NameScope) -> Meaning | None:
        """What an expression surely means; None if it may be one of several things, or is computed."""
        if isinstance(node, ast.Name):
            return self.named(node.id, scope)
        if isinstance(node, ast.Attribute):
            base = self.meaning(node.value, scope)
            if isinstance(base, Foreign):
                is_assigned = node.attr in self.vocabulary.stored
                is_replaced = is_assigned and last_name(node.value) in self.vocabulary.carriers
                return None if is_replaced else Foreign(f"{base.name}.{node.attr}")
            if isinstance(base, Module):
                return self.member(base, node.attr)
            if isinstance(base, Class) and node.attr not in self.vocabulary.stored:
                owner = base.definer(node.attr)
                several = owner.functions.get(node.attr, []) if owner else []
                return several[0] if len(several) == 1 and several[0].is_plain else None
        return None

    def named(
        self, name: str, scope: NameScope, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> Meaning | None:
        """What a name surely means where it stands."""
        owner = scope.find(name)
        if owner is None:
            return Foreign(name)
        bound = owner.bound.get(name, [])
        if len(bound) != 1 or (owner.module, name) in seen:
            return None
        by = bound[0]
        if owner.sort is Sort.CLASS:
            return None
        if isinstance(by, FUNCTIONS):
            function = self.functions[id(by)]
            is_assigned = owner.sort is Sort.MODULE and name in self.vocabulary.stored
            return function if function.is_plain and not is_assigned else None
        if isinstance(by, ast.ClassDef):
            return self.classes.get(id(by))
        if isinstance(by, ast.Import):
            return self._imported(by, name)
        if isinstance(by, ast.ImportFrom):
            return self._imported_from(by, name, owner, seen | {(owner.module, name)})
        return None

    def _imported(self, node: ast.Import, name: str) -> Meaning | None:
        several = [each for each in node.names if (each.asname or each.name.partition(".")[0]) == name]
        if not several:
            return None
        full = several[0].name if several[0].asname else name
        return self.modules.get(full) or Foreign(full)

    def _imported_from(
        self, node: ast.ImportFrom, name: str, scope: NameScope, seen: frozenset[tuple[str, str]]
    ) -> Meaning | None:
        wanted = next((each.name for each in node.names if (each.asname or each.name) == name), name)
        home = self.absolute(node, scope.module)
        module = self.modules.get(home)
        inner = self.modules.get(f"{home}.{wanted}")
        if module is None or (inner is not None and home == scope.module):
            return inner or Foreign(f"{home}.{wanted}")
        return self.member(module, wanted, seen)

    def member(
        self, module: Module, name: str, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> Meaning | None:
        """What a name of a module surely means."""
        if name in module.scope.bound:
            if name in self.vocabulary.stored and not isinstance(module.scope.bound[name][0], ast.ClassDef):
                return None
            return self.named(name, module.scope, seen)
        return self.modules.get(f"{module.name}.{name}")

    def absolute(self, node: ast.ImportFrom, module: str) -> str:
        """The full name of the module that is imported from."""
        if not node.level:
            return node.module or ""
        parts = module.split(".")
        if not self.modules[module].source.is_package:
            parts = parts[:-1]
        parts = parts[: len(parts) - node.level + 1]
        return ".".join([*parts, *((node.module or "").split(".") if node.module else ())])

    def plain_names(self, scope: NameScope) -> frozenset[str]:
        """The names of a scope that are only ever bound to numbers, texts and containers of the language."""
        if id(scope) not in self._plain:
            self._plain[id(scope)] = frozenset(find_plain_names(scope))
        return self._plain[id(scope)]

    def methods(self, name: str) -> Sequence[PythonFunction]:
        """All methods of a name."""
        return self.by_name.get(name, ())


def _assign_by_name(made: Class, name: ast.expr) -> None:
    if isinstance(name, ast.Constant):
        made.attributes.add(str(name.value))
    else:
        made.is_open = True


def _inherits(one: Class, other: Class) -> bool:
    seen: set[Class] = set()
    waiting = [one]
    while waiting:
        each = waiting.pop()
        if each is other:
            return True
        if each not in seen:
            seen.add(each)
            waiting += each.bases
    return False
