"""Regressors, and how well they do on what they have not seen.

The package is callable: ``paragauge.learn(judgments, metrics=[...])`` is `paragauge.evaluate.learn.learn`.
"""

import sys
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    """Lets users write ``pg.learn(...)``, although importing a module of this folder binds the name to the folder."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from importlib import import_module

        # By name: the folder stands far below evaluate/ and knows nothing of it.
        return import_module("paragauge.evaluate.learn").learn(*arguments, **options)


sys.modules[__name__].__class__ = _CallablePackage
