"""What Python a compiled module may hold, checked before it is compiled.

:mod:`acts.twin` says which modules are compiled. pscript refuses some constructs and gives others another meaning
without a word: a keyword argument, a format specification, a sort of numbers, ``%`` on a negative number. So a
compiled module holds only what is listed here, each of which means the same in Python and in JavaScript
(tests/unit/test_subset.py runs it in both); everything else is refused with its place and what to write instead.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_origin, is_typeddict

from . import contracts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

#: Modules that only annotations and dropped classes need.
TYPE_MODULES = frozenset({"__future__", "collections.abc", "dataclasses", "types", "typing"})

#: Functions of Python a compiled module may call: least and most arguments.
FUNCTIONS = {
    "abs": (1, 1),
    "chr": (1, 1),
    "enumerate": (1, 1),
    "int": (1, 1),
    "isinstance": (2, 2),
    "len": (1, 1),
    "list": (1, 1),
    "max": (1, 99),
    "min": (1, 99),
    "ord": (1, 1),
    "range": (1, 3),
    "sorted": (1, 1),
    "str": (1, 1),
}

#: Methods of strings, lists and dicts a compiled module may call: least and most arguments.
METHODS = {
    "append": (1, 1),
    "endswith": (1, 1),
    "extend": (1, 1),
    "find": (1, 2),
    "get": (1, 2),
    "insert": (2, 2),
    "items": (0, 0),
    "join": (1, 1),
    "keys": (0, 0),
    "lower": (0, 0),
    "pop": (1, 1),
    "replace": (2, 2),
    "reverse": (0, 0),
    "rstrip": (0, 1),
    "sort": (0, 0),
    "split": (1, 1),
    "startswith": (1, 1),
    "strip": (0, 1),
    "upper": (0, 0),
    "values": (0, 0),
    "zfill": (1, 1),
}

#: Types isinstance tells apart in both languages.
TESTED_TYPES = ("str", "bool", "list", "dict", "(int, float)")

#: Words that JavaScript or pscript keeps for itself.
_RESERVED_WORDS = """
    abstract arguments boolean case catch const debugger default delete do enum eval export extends final function
    goto implements instanceof interface let native new null package private protected public self static super
    switch synchronized this throw throws transient typeof undefined var void volatile
"""
RESERVED = frozenset(_RESERVED_WORDS.split())

#: Whole numbers beyond this are not exact in JavaScript.
EXACT = 2**53

_CONTROL = (
    "Assign AnnAssign AugAssign Break Continue Delete Expr For If IfExp Pass Return While comprehension"
)
_VALUES = "Attribute BinOp BoolOp Call Compare Constant Dict FormattedValue JoinedStr Lambda List ListComp Name Slice"
_PARTS = "Del Load Store Subscript Tuple UnaryOp arg arguments keyword And Or Not USub UAdd"
_COMPARISONS = "Eq NotEq Lt LtE Gt GtE In NotIn Is IsNot"
#: Operators on two values.
OPERATORS = frozenset({"Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow"})
#: Kinds of syntax a function of a compiled module may hold.
ALLOWED = frozenset(f"{_CONTROL} {_VALUES} {_PARTS} {_COMPARISONS}".split()) | OPERATORS

#: What to write instead of a kind of syntax that is not allowed.
INSTEAD = {
    "Assert": "return what says that the value is wrong, or check it in a test",
    "DictComp": "make an empty dict and fill it in a loop",
    "FunctionDef": "define the function at the module's level",
    "GeneratorExp": "write a list comprehension in brackets, or a loop",
    "Import": "import at the module's head",
    "ImportFrom": "import at the module's head",
    "Match": "write if and elif",
    "NamedExpr": "assign on a line of its own",
    "Raise": "return what says what is wrong; there are no exceptions",
    "Set": "write a list, or a dict whose keys are the members",
    "SetComp": "write a list comprehension, or a dict whose keys are the members",
    "Starred": "name each value, or hand over the list",
    "Try": "ask first (`key in a_dict`, isinstance); there are no exceptions",
    "Yield": "collect the values in a list and return it",
}

#: What to write instead of an operator that is not allowed.
INSTEAD_OF_OPERATOR = {
    "BitOr": "dicts have no union there, and bits only 32; copy one dict key by key in a loop",
    "LShift": "multiply by a power of two",
    "RShift": "divide by a power of two with //",
}

#: What to write instead of a function or a method that is not allowed.
INSTEAD_OF_CALL = {
    "all": "write a loop, or len([x for x in xs if not …]) == 0",
    "any": "write a loop, or len([x for x in xs if …]) > 0",
    "bool": "compare with what is meant (`!= 0`, `len(x) > 0`, `is not None`)",
    "dict": "write a literal and fill it in a loop",
    "divmod": "use // and %",
    "float": "parse digits as acts/logs does, or multiply",
    "format": "use the functions of acts/text.py",
    "pow": "use **",
    "removeprefix": "use a slice after startswith",
    "removesuffix": "use a slice after endswith",
    "reversed": "call reverse() on a copy, list(x)",
    "round": "halves are rounded otherwise there; use the functions of acts/text.py",
    "set": "use a list, or a dict whose keys are the members",
    "sum": "floats are added otherwise there; write a loop",
    "tuple": "use a list",
    "zip": "go through range(len(x)) and index both",
}

_ANNOTATED = frozenset({"str", "bool", "int", "float", "list", "dict", "tuple", "None"})
#: Names of records (TypedDicts, and what else is a dict), which annotations give to dicts.
_RECORDS = frozenset(
    name for name, kind in vars(contracts).items() if is_typeddict(kind) or get_origin(kind) is dict
)


@dataclass
class _Scope:
    """What is known of a function's names: its locals, and the kinds of value assigned to each."""

    local: set[str] = field(default_factory=set)
    kinds: dict[str, set[str]] = field(default_factory=dict)


def is_types_only(node: ast.stmt) -> bool:
    """Whether a module's statement is ``if TYPE_CHECKING:``."""
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def definitions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.Assign | ast.AnnAssign]]:
    """The functions and constants of a module by name, in its order."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node


def check(tree: ast.Module, path: str, imported: Collection[str] = ()) -> None:
    """Raises SyntaxError with one line for each thing in the module at ``path`` that is not of the subset.

    ``imported`` are the names it gets from other compiled modules.
    """
    checker = _Checker(tree, path, imported)
    checker.check_module()
    if checker.faults:
        raise SyntaxError("\n".join(checker.faults))


class _Checker(ast.NodeVisitor):
    """Walks one module's functions and constants, and notes every fault."""

    def __init__(self, tree: ast.Module, path: str, imported: Collection[str]) -> None:
        self.tree = tree
        self.path = path
        self.faults: list[str] = []
        self.constants = {name: node.value for name, node in definitions(tree) if hasattr(node, "value")}
        self.known = {name for name, _ in definitions(tree)} | set(imported)
        self.scope = _Scope()

    def refuse(self, node: ast.AST, reason: str) -> None:
        written = " ".join(ast.unparse(node).split())
        shown = written if len(written) <= 60 else written[:57] + "..."
        self.faults.append(f"{self.path}:{getattr(node, 'lineno', 1)}: `{shown}`: {reason}")

    # The module itself.

    def check_module(self) -> None:
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef):
                self.check_function(node)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                self.check_constant(node)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self.check_import(node)
            elif not (isinstance(node, ast.ClassDef) or is_types_only(node) or _is_text(node)):
                self.refuse(node, "a compiled module holds functions, constants and imports alone")

    def check_import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in TYPE_MODULES:
            return
        if isinstance(node, ast.Import) or not (
            node.level or (node.module or "").startswith(("acts.", "app."))
        ):
            self.refuse(
                node, "write `from .module import name`, of modules that are compiled too, and no others"
            )
        elif any(alias.asname or alias.name == "*" for alias in node.names):
            self.refuse(node, "imports are dropped there, so a name stays the one it has; import it plainly")

    def check_constant(self, node: ast.Assign | ast.AnnAssign) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            self.refuse(node, "a constant has one plain name")
        elif node.value is None:
            self.refuse(node, "a constant needs a value; annotations that stand alone belong in classes")
        else:
            self.check_name(targets[0], targets[0].id)
            self.scope = _Scope({name.id for name in _stored_names(node.value)})
            self.visit(node.value)

    def check_function(self, node: ast.FunctionDef) -> None:
        self.scope = _scope_of(node)
        self.check_name(node, node.name)
        for decorator in node.decorator_list:
            self.refuse(decorator, "decorators are not run there; call the function where it is used")
        self.visit(node.args)
        for statement in node.body:
            self.visit(statement)

    # Inside a function.

    def visit(self, node: ast.AST) -> None:
        kind = type(node).__name__
        if kind not in ALLOWED:
            general = (
                "it is not of the subset that means the same in JavaScript; write it with plain statements"
            )
            self.refuse(node, INSTEAD.get(kind, general))
            return
        getattr(self, f"visit_{kind}", self.generic_visit)(node)

    def check_name(self, node: ast.AST, name: str) -> None:
        if name in RESERVED:
            self.refuse(node, f"{name} is a word of JavaScript; choose another name")

    def visit_arguments(self, node: ast.arguments) -> None:
        if node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs:
            self.refuse(node, "a compiled function has plain parameters alone")
        for argument in node.args:
            self.check_name(argument, argument.arg)
        for default in node.defaults:
            self.visit(default)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        if node.value is None:
            self.refuse(node, "give it a value where it is declared")
        else:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                self.refuse(node, "objects are only read there; return a dict")
            elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                self.refuse(node, "build the new list with + and slices")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if self.kind(node.target) == "list":
            self.refuse(node, "the list itself is not changed there; use append or extend")
        self.check_operator(node, node.op, node.target)
        self.visit(node.target)
        self.visit(node.value)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.check_name(node, node.id)
        elif node.id not in self.scope.local and node.id not in self.known:
            self.refuse(node, INSTEAD_OF_CALL.get(node.id, "no compiled module defines this name"))

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bytes | complex) or node.value is Ellipsis:
            self.refuse(node, "write text or numbers")
        self.check_size(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if not isinstance(part, ast.FormattedValue):
                continue
            if part.format_spec or part.conversion != -1:
                self.refuse(node, "format specifications differ there; use the functions of acts/text.py")
            self.check_text(node, part.value)
            self.visit(part.value)

    def check_text(self, node: ast.AST, value: ast.expr) -> None:
        """Refuses the text of a value that JavaScript writes otherwise."""
        if self.kind(value) in ("float", "bool", "None"):
            self.refuse(
                node, "this value is written otherwise there; use acts/text.py, or choose the words with if"
            )

    def visit_Dict(self, node: ast.Dict) -> None:
        if None in node.keys:
            self.refuse(node, "copy the other dict key by key in a loop")
        if any(isinstance(key, ast.Constant) and not isinstance(key.value, str) for key in node.keys):
            self.refuse(node, "keys are texts there, and numbers lose their order; use text keys or a list")
        for part in (*node.keys, *node.values):
            if part is not None:
                self.visit(part)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.check_operator(node, node.op, node.left)
        self.check_size(node)
        self.visit(node.left)
        self.visit(node.right)

    def check_operator(self, node: ast.AST, operator: ast.operator, left: ast.expr) -> None:
        name = type(operator).__name__
        if name not in OPERATORS:
            self.refuse(node, INSTEAD_OF_OPERATOR.get(name, "bits are only 32 there; use //, * and %"))
        elif name == "Mod":
            self.check_modulo(node, left)

    def check_modulo(self, node: ast.AST, left: ast.expr) -> None:
        if self.kind(left) == "str":
            self.refuse(node, "formatting with % differs there; join the texts with +")
        elif self.may_be_negative(left):
            self.refuse(
                node, "the remainder of a negative number differs there; use max(…, 0), or x - x // n * n"
            )

    def check_size(self, node: ast.expr) -> None:
        value = _number(node)
        if value is not None and abs(value) > EXACT:
            self.refuse(node, "whole numbers are exact up to 2**53 only there; use a smaller one")

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            self.check_comparison(node, operator, left, right)
        self.generic_visit(node)

    def check_comparison(
        self, node: ast.Compare, operator: ast.cmpop, left: ast.expr, right: ast.expr
    ) -> None:
        kinds = {self.kind(left), self.kind(right)}
        if isinstance(operator, ast.Is | ast.IsNot):
            if not (isinstance(right, ast.Constant) and right.value in (None, True, False)):
                self.refuse(node, "compare with ==; `is` is for None, True and False")
        elif isinstance(operator, ast.Eq | ast.NotEq):
            if "str" in kinds and kinds & {"int", "float", "bool"}:
                self.refuse(node, "text and number can be equal there; compare two of one type")
            if kinds == {"list", "tuple"}:
                self.refuse(node, "a tuple is a list there; compare two of one type")
        elif not isinstance(operator, ast.In | ast.NotIn) and kinds & {"list", "tuple", "dict"}:
            self.refuse(node, "lists are ordered as texts there; compare their values one by one")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.slice, ast.Slice):
            if node.slice.step is not None:
                self.refuse(node, "slices have no step there; write a comprehension over range")
        elif isinstance(node.slice, ast.Name) and self.may_be_negative(node.slice):
            self.refuse(node, "a negative index finds nothing there; use len(x) - 1")
        self.check_key(node)
        self.generic_visit(node)

    def check_key(self, node: ast.Subscript) -> None:
        """Refuses a key that a dict written here does not have, and keys that are no text."""
        table = self.constants.get(node.value.id) if isinstance(node.value, ast.Name) else node.value
        if not isinstance(node.slice, ast.Constant):
            return
        if isinstance(table, ast.Dict) and isinstance(node.ctx, ast.Load):
            keys = [key.value for key in table.keys if isinstance(key, ast.Constant)]
            if len(keys) == len(table.keys) and node.slice.value not in keys:
                self.refuse(node, "the dict has no such key; a missing key is no error there, but undefined")
        elif self.kind(node.value) == "dict" and not isinstance(node.slice.value, str):
            self.refuse(node, "keys are texts there; use text keys or a list")

    # Calls.

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            self.check_method(node, node.func)
            self.visit(node.func.value)
        elif (
            isinstance(node.func, ast.Name)
            and node.func.id in {*FUNCTIONS, *INSTEAD_OF_CALL} - self.scope.local
        ):
            self.check_builtin(node, node.func.id)
        else:
            self.check_keywords(
                node, "a compiled function takes no keyword arguments; pass the values in their order"
            )
            self.visit(node.func)
        tested = isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        for argument in node.args[:1] if tested else node.args:
            self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)

    def check_keywords(self, node: ast.Call, reason: str, allowed: Collection[str] = ()) -> None:
        if any(keyword.arg not in allowed for keyword in node.keywords):
            self.refuse(node, reason)

    def check_count(self, node: ast.Call, bounds: tuple[int, int], name: str) -> None:
        if not bounds[0] <= len(node.args) <= bounds[1]:
            count = str(bounds[0]) if bounds[0] == bounds[1] else f"{bounds[0]} to {bounds[1]}"
            self.refuse(node, f"{name} with {len(node.args)} arguments differs there; it may have {count}")

    def check_builtin(self, node: ast.Call, name: str) -> None:
        if name not in FUNCTIONS:
            self.refuse(node, INSTEAD_OF_CALL[name])
            return
        self.check_count(node, FUNCTIONS[name], name)
        if name == "sorted":
            self.check_order(node)
        else:
            self.check_keywords(node, f"{name} takes no keyword arguments there; write a loop")
        argument = node.args[0] if node.args else None
        if name == "isinstance" and ast.unparse(node.args[-1]) not in TESTED_TYPES:
            self.refuse(node, f"types that can be told apart there are {', '.join(TESTED_TYPES)}")
        elif name == "len" and argument and self.kind(argument) == "dict":
            self.refuse(node, "a dict has no length there; count its keys with len(list(x))")
        elif name == "str" and argument:
            self.check_text(node, argument)
        elif name in ("max", "min") and any(self.kind(value) == "str" for value in node.args):
            self.refuse(node, f"{name} is for numbers there; compare texts with < in a loop")

    def check_order(self, node: ast.Call) -> None:
        if [keyword.arg for keyword in node.keywords] != ["key"]:
            self.refuse(node, "numbers are sorted as texts there; give key=, and nothing else")

    def check_method(self, node: ast.Call, method: ast.Attribute) -> None:
        name = method.attr
        if name not in METHODS:
            known = "the methods there are " + ", ".join(METHODS)
            self.refuse(node, INSTEAD_OF_CALL.get(name, known))
            return
        self.check_count(node, METHODS[name], name)
        if name == "sort":
            self.check_order(node)
        else:
            self.check_keywords(node, f"{name} takes no keyword arguments there")

    # What is known of a value.

    def kind(self, node: ast.expr) -> str:
        """The type of a value as far as it is plain to see, else ""."""
        if isinstance(node, ast.Name):
            return self.kind_of_name(node.id)
        if isinstance(node, ast.UnaryOp):
            return "bool" if isinstance(node.op, ast.Not) else self.kind(node.operand)
        if isinstance(node, ast.BinOp):
            return self.kind_of_sum(node)
        if isinstance(node, ast.IfExp):
            kinds = {self.kind(node.body), self.kind(node.orelse)}
            return kinds.pop() if len(kinds) == 1 else ""
        return _plain_kind(node)

    def kind_of_name(self, name: str) -> str:
        kinds = self.scope.kinds.get(name, set())
        if name in self.scope.local:
            return next(iter(kinds)) if len(kinds) == 1 else ""
        value = self.constants.get(name)
        return _plain_kind(value) if value is not None else ""

    def kind_of_sum(self, node: ast.BinOp) -> str:
        sides = (self.kind(node.left), self.kind(node.right))
        if isinstance(node.op, ast.Div) or "float" in sides:
            return "float"
        if "str" in sides:
            return "str"
        return "int" if sides == ("int", "int") else ""

    def may_be_negative(self, node: ast.expr) -> bool:
        """Whether a number is below 0, or a difference that can be."""
        if isinstance(node, ast.Name):
            return "negative" in self.scope.kinds.get(node.id, ())
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Sub) or self.may_be_negative(node.left)
        return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _stored_names(tree: ast.AST) -> Iterator[ast.Name]:
    """The names that are assigned anywhere in ``tree``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node


def _scope_of(function: ast.FunctionDef) -> _Scope:
    """The names a function makes, those of its lambdas and comprehensions included."""
    scope = _Scope()
    plain: set[ast.expr] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            _note(scope, node.arg, _annotated_kind(node.annotation))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            plain.add(node.targets[0])
            _note(scope, node.targets[0].id, _assigned_kind(node.value))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            plain.add(node.target)
            _note(scope, node.target.id, _annotated_kind(node.annotation))
        elif isinstance(node, ast.AugAssign):
            plain.add(node.target)
    for name in _stored_names(function):
        if name not in plain:
            _note(scope, name.id, "")
    return scope


def _note(scope: _Scope, name: str, kind: str) -> None:
    scope.local.add(name)
    scope.kinds.setdefault(name, set()).add(kind)


def _assigned_kind(node: ast.expr) -> str:
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    return "negative" if negative else _plain_kind(node)


def _annotated_kind(annotation: ast.expr | None) -> str:
    """The kind an annotation names; "" if it names several, or one that is not told apart."""
    if annotation is None:
        return ""
    name = ast.unparse(annotation).split("[")[0]
    if name in _RECORDS:
        return "dict"
    return name if name in _ANNOTATED and "|" not in ast.unparse(annotation) else ""


_DISPLAYS = {
    ast.Dict: "dict",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Tuple: "tuple",
    ast.JoinedStr: "str",
    ast.Compare: "bool",
}
_RETURNED = {
    "len": "int",
    "ord": "int",
    "str": "str",
    "chr": "str",
    "list": "list",
    "sorted": "list",
    "range": "list",
}


def _plain_kind(node: ast.expr) -> str:
    """The kind of a literal, a display or a call of a known function; else ""."""
    if isinstance(node, ast.Constant):
        return "None" if node.value is None else type(node.value).__name__
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _RETURNED.get(node.func.id, "")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return "float"
    return _DISPLAYS.get(type(node), "")


def _number(node: ast.expr) -> float | None:
    """The value of an expression of whole numbers written out; None for any other."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _number(node.left), _number(node.right)
    if left is None or right is None or (isinstance(node.op, ast.Pow) and not 0 <= right < 1100):
        return None
    operators = {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right}
    if isinstance(node.op, ast.Pow):
        return left**right
    return operators.get(type(node.op))
