"""Cycles of a graph, and an order in which every edge but those of cycles leads on."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def components_in_order(count: int, successors: Sequence[Collection[int] | None]) -> list[list[int]]:
    """The strongly connected components, each before those that it leads to (Tarjan 1972).

    Nodes that lead nowhere are left out: most do.
    """
    index = [0] * count  # 0: not seen
    low = [0] * count
    on_stack = bytearray(count)
    stack: list[int] = []
    found: list[list[int]] = []
    counter = 0
    for root in range(count):
        if index[root] or not successors[root]:
            continue
        counter += 1
        index[root] = low[root] = counter
        stack.append(root)
        on_stack[root] = 1
        work = [(root, iter(successors[root] or ()))]
        while work:
            node, rest = work[-1]
            for other in rest:
                if not index[other]:
                    further = successors[other]
                    if not further:
                        continue
                    counter += 1
                    index[other] = low[other] = counter
                    stack.append(other)
                    on_stack[other] = 1
                    work.append((other, iter(further)))
                    break
                if on_stack[other] and index[other] < low[node]:
                    low[node] = index[other]
            else:
                work.pop()
                if work and low[node] < low[work[-1][0]]:
                    low[work[-1][0]] = low[node]
                if low[node] == index[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack[member] = 0
                        component.append(member)
                        if member == node:
                            break
                    found.append(component)
    found.reverse()
    return found
