"""The textbook solver in Python: Gaussian elimination over all n*n keys, with numpy.

Numpy adds rows. The rest is done cell by cell, as in the textbook version. The arguments are sizes. Prints
`size seconds` for each size, until a board takes more than a second.
"""

import random
import sys
import time

import numpy as np


def matrix_of(size):
    keys = size * size
    matrix = np.zeros((keys, keys), dtype=int)
    for key in range(keys):
        row, column = divmod(key, size)
        for r, c in [(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]:
            if 0 <= r < size and 0 <= c < size:
                matrix[key][r * size + c] = 1
    return matrix


def eliminate(a, b):
    n = len(b)
    for i in range(n):
        if a[i][i] == 0:
            for j in range(i + 1, n):
                if a[j][i] == 1:
                    a[[i, j]] = a[[j, i]]
                    b[i], b[j] = b[j], b[i]
                    break
        for j in range(i + 1, n):
            if a[j][i] == 1:
                a[j] ^= a[i]
                b[j] ^= b[i]
    x = np.zeros(n, dtype=int)
    for i in reversed(range(n)):
        x[i] = (b[i] ^ sum(a[i][j] & x[j] for j in range(i + 1, n))) % 2
    return x


def solve(matrix, board):
    presses = eliminate(matrix.copy(), board.copy())
    return presses, not np.any((matrix @ presses + board) % 2)


dice = random.Random(1995)
for size in map(int, sys.argv[1:]):
    matrix = matrix_of(size)
    boards = [matrix @ np.array([dice.randrange(2) for _ in range(size * size)]) % 2 for _ in range(16)]
    began, solved = time.perf_counter(), 0
    while solved == 0 or time.perf_counter() - began < 0.4:
        if not solve(matrix, boards[solved % len(boards)])[1]:
            sys.exit(f"a board of {size} x {size} was not solved")
        solved += 1
    seconds = (time.perf_counter() - began) / solved
    print(size, seconds, flush=True)
    if seconds > 1:
        break
