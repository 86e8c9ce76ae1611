"""What the files of every game's rulesets have in common: titles, remarks, options, targets, and entries under ids."""

from typing import Annotated, Final

from rules.core.declared import REMARK, LeftOut, Remark, table_of
from rules.core.schema import Field, ListOf, MapOf, Schema, Table, Text

ID: Final = Text(pattern=r"[a-z][a-z0-9_]*", kind="an id: small letters, digits and _, beginning with a letter")


class Meta:
    """What a ruleset says about itself."""

    title: Annotated[Remark, "name for people"]
    summary: Annotated[Remark, "what it is, in a sentence"]
    author: Annotated[Remark, "who made it"]
    game: Annotated[Remark, "name of the game"]
    edition: Annotated[Remark, "name of the edition"]
    version: Annotated[Remark, "version of the ruleset"]
    date: Annotated[Remark, "when it was published"]
    notes: Annotated[tuple[str, ...], LeftOut(), "what else there is to say"]


class Target:
    """What a designer wants of a ruleset."""

    metric: Annotated[str, "what is measured"]
    min: Annotated[float, LeftOut("no lower limit"), "least value"]
    max: Annotated[float, LeftOut("no upper limit"), "greatest value"]


def ruleset_table(meta: type, rules: type, options: Table, **tables: Schema | Field) -> Table:
    """Return the shape of a resolved ruleset out of its declared tables; ``tables`` are those of one game."""
    target = Table(table_of(Target).fields, open=True)
    return Table(
        {
            "meta": Field(table_of(meta), required=False, marks=(REMARK,)),
            "rules": Field(table_of(rules)),
            "options": Field(options),
            **{name: shape if isinstance(shape, Field) else Field(shape) for name, shape in tables.items()},
            "assert": Field(ListOf(target), False, "the designer's own targets", marks=(REMARK,)),
        }
    )


def entry_of(declared: type, remarks: tuple[str, ...], **words: Schema) -> Table:
    """Return the shape of a declared entry that may also say where its facts come from."""
    told = {name: Field(Text(), required=False, marks=(REMARK,)) for name in remarks}
    return Table({**table_of(declared, **words).fields, **told})


def entries(declared: type, remarks: tuple[str, ...], **words: Schema) -> MapOf:
    """Return the shape of declared entries under their ids."""
    return MapOf(entry_of(declared, remarks, **words), ID)
