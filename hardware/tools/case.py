#!/usr/bin/env python3
"""Makes the files of the printed case from the OpenSCAD models in hardware/case, and checks them.

Each printed part: watertight, fits the bed, no thin wall, no surface that needs support. The assembled handheld: the
gaps between each printed part and everything that is bought, and between printed parts that move.

Needs OpenSCAD 2021.01 or later (Debian: openscad), and the Python packages in hardware/tools/requirements.txt.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from trimesh import Trimesh
from trimesh.collision import CollisionManager

MODEL = Path(__file__).resolve().parent.parent / "case" / "assembly.scad"

# --- What a printer with a nozzle of 0.4 mm can print; in mm
BED = 180.0  # a small printer's bed, square
THINNEST_WALL = 1.2  # three lines
LONGEST_BRIDGE = 12.0  # a gap that is crossed without support
ROUNDING = 0.002  # STL files from OpenSCAD have six digits

# Printed parts: whether they lie on their face, upside down, on the bed.
PRINTED = {"body": False, "top": True, "door": True, "cap": True, "test-plate": True}
# Bought parts, by their names in assembly.scad. The keys are over the origin there, as are the caps.
KEY = ["key housing", "key slider", "key stem"]
BOUGHT = ["board", "board edge", "back parts", *KEY, "Pico headers", "Pico", "parts of the Pico", "USB socket",
          "USB plug", "battery tape", "battery holder", "battery cells", "connector", "piezo", "switch", "lever up",
          "lever down", "screws"]
# Parts that only the pictures show.
SHOWN = ["lights", "Pico chip", "BOOTSEL", "battery ends"]

# --- Demanded gaps in the assembled handheld, in mm
MARGIN = 0.4  # between anything printed and anything bought, except these:
TOUCHES = 0.005  # parts that touch are 0.01 apart in the models (`hair`)
CONTACTS = {
    ("body", "board"): (TOUCHES, "the board lies on standoffs, shelves and supports"),
    ("top", "board"): (TOUCHES, "the screws pull its four bosses onto the board"),
    ("body", "screws"): (TOUCHES, "their heads pull at the body; holes of 2.4 mm around 2 mm"),
    ("top", "screws"): (TOUCHES, "they cut their thread into the pilot holes, and are modelled by their core there"),
    ("caps", "key stem"): (TOUCHES, "each cap sits on its stem; play at the sides is `stem_play` / 2"),
}
# Printed parts that slide into each other or move.
FITS = {
    ("body", "top"): (0.2, "they slide into each other, and only the board is between them"),
    ("top", "door"): (0.2, "the door is put in and taken out"),
    ("caps", "top"): (MARGIN, "released caps in their wells; a stem wobbles by 0.3"),
    ("pressed caps", "top"): (MARGIN, "pressed caps in their wells"),
}


def openscad(*arguments: str) -> None:
    """Runs OpenSCAD on the assembly. Its warnings are errors."""
    command = ["openscad", "--hardwarnings", *arguments, str(MODEL)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"OpenSCAD failed: {' '.join(command)}\n{result.stderr}")


def export(folder: Path) -> dict[str, Trimesh]:
    """Exports each part, where it is in the assembled handheld, to a file of its name in the folder."""

    def export_part(name: str) -> tuple[str, float]:
        started = time.monotonic()
        openscad("-D", f'item="{name}"', "-o", str(folder / f"{name}.stl"))
        return name, time.monotonic() - started

    # The parts that take longest first.
    names = [*PRINTED, *BOUGHT, *SHOWN]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(export_part, name) for name in names]
        for number, job in enumerate(as_completed(jobs), 1):
            name, seconds = job.result()
            print(f"[{number:2}/{len(names)}] {name}: {seconds:.1f} s", flush=True)
    return {name: trimesh.load_mesh(folder / f"{name}.stl") for name in names}


def echoed(folder: Path) -> dict[str, Any]:
    """The values that the assembly prints with `echo`."""
    file = folder / "values.echo"
    openscad("-o", str(file))
    lines = (line.removeprefix("ECHO: ").split(" = ", 1) for line in file.read_text().splitlines())
    values = {name: json.loads(value) for name, value in lines}
    (folder / "values.json").write_text(json.dumps(values))
    return values


# --- Checks of one part


def thinnest_wall(mesh: Trimesh) -> float:
    """The thinnest wall.

    Rays go straight inwards from points all over the surface, on average half a millimetre apart. A wall is where a
    ray leaves the part through a face that is parallel within 40 degrees. Faces with a larger angle meet in an edge.
    """
    points, faces = trimesh.sample.sample_surface(mesh, int(4 * mesh.area), seed=1)
    points = np.vstack([points, mesh.triangles_center])
    inwards = -mesh.face_normals[np.concatenate([faces, np.arange(len(mesh.faces))])]
    hits, rays, triangles = mesh.ray.intersects_location(points + 1e-3 * inwards, inwards, multiple_hits=False)
    parallel = np.einsum("ij,ij->i", mesh.face_normals[triangles], inwards[rays]) > np.cos(np.radians(40))
    return float(np.linalg.norm(hits - points[rays], axis=1)[parallel].min())


def longest_bridge(mesh: Trimesh) -> float:
    """The longest bridge: the shorter side of an area that faces the bed at less than 45 degrees and is not on it."""
    flat = (mesh.face_normals[:, 2] < -0.72) & (mesh.triangles[:, :, 2].max(axis=1) > 0.01)
    touching = mesh.face_adjacency[flat[mesh.face_adjacency].all(axis=1)]
    areas = trimesh.graph.connected_components(touching, nodes=np.flatnonzero(flat))
    return max((np.ptp(mesh.triangles[area][:, :, :2].reshape(-1, 2), axis=0).min() for area in areas), default=0.0)


def check_part(name: str, mesh: Trimesh) -> list[str]:
    """What is wrong with a part that lies on the bed. Prints its figures."""
    width, depth, height = mesh.extents
    wall, bridge = thinnest_wall(mesh), longest_bridge(mesh)
    print(f"{name:<12}{width:7.1f} x{depth:6.1f} x{height:5.1f} mm {mesh.volume / 1000:6.1f} cm3   "
          f"thinnest wall {wall:.2f} mm   longest bridge {bridge:4.1f} mm")
    faults = []
    if not mesh.is_volume:
        faults.append(f"{name}: the surface is not closed")
    if max(width, depth) > BED:
        faults.append(f"{name}: larger than a bed of {BED:.0f} x {BED:.0f} mm")
    if wall < THINNEST_WALL - ROUNDING:
        faults.append(f"{name}: a wall of {wall:.2f} mm; {THINNEST_WALL} mm are demanded")
    if bridge > LONGEST_BRIDGE:
        faults.append(f"{name}: a bridge of {bridge:.1f} mm; {LONGEST_BRIDGE} mm are possible without support")
    return faults


# --- Checks of the assembled handheld


def gap(a: Trimesh, b: Trimesh) -> float:
    """The smallest distance between two parts; 0 or less if they overlap."""
    manager = CollisionManager()
    manager.add_object("a", a)
    distance = manager.min_distance_single(b)
    return -1.0 if a.contains(b.vertices).any() or b.contains(a.vertices).any() else distance


def assemble(parts: dict[str, Trimesh], values: dict[str, Any]) -> dict[str, Trimesh]:
    """All parts where they are, with 25 keys and caps."""

    def at_every_key(mesh: Trimesh, down: float = 0.0) -> Trimesh:
        return trimesh.util.concatenate([mesh.copy().apply_translation([x, y, -down]) for x, y in values["keys"]])

    placed = {name: at_every_key(mesh) if name in KEY else mesh for name, mesh in parts.items() if name in BOUGHT}
    placed |= {name: parts[name] for name in ["body", "top", "door"]}
    placed["caps"] = at_every_key(parts["cap"])
    placed["pressed caps"] = at_every_key(parts["cap"], values["key_travel"])
    return placed


def check_gaps(placed: dict[str, Trimesh]) -> list[str]:
    """What is too close to what. Prints all gaps."""
    faults, smallest = [], (float("inf"), "")
    printed = ["body", "top", "door", "caps", "pressed caps"]

    def measure(pair: tuple[str, str], demanded: float) -> float:
        found = gap(placed[pair[0]], placed[pair[1]])
        if found < demanded - ROUNDING:
            fault = "overlap" if found <= 0 else f"are {found:.2f} mm apart"
            faults.append(f"{pair[0]} and {pair[1]} {fault}; {demanded} mm are demanded")
        return found

    print(f"\n{'gaps in mm':<20}" + "".join(f"{name:>14}" for name in printed))
    for bought in BOUGHT:
        row = f"{bought:<20}"
        for part in printed:
            # A stem moves with its cap.
            if part == "pressed caps" and bought in KEY[1:]:
                row += f"{'':14}"
                continue
            contact = CONTACTS.get((part, bought))
            found = measure((part, bought), contact[0] if contact else MARGIN)
            row += f"{found:13.2f}{'*' if contact else ' '}"
            if not contact:
                smallest = min(smallest, (found, f"{part} and {bought}"))
        print(row, flush=True)
    print(f"The smallest: {smallest[0]:.2f} mm, {smallest[1]}. Contacts (*) and fits have their own minimum:")
    for pair, (demanded, reason) in (CONTACTS | FITS).items():
        found = measure(pair, demanded) if pair in FITS else gap(placed[pair[0]], placed[pair[1]])
        print(f"  {pair[0]} and {pair[1]}: {found:.2f} mm, {demanded} demanded: {reason}")
    return faults


def check_checks(placed: dict[str, Trimesh]) -> list[str]:
    """What the checks do not find, though it is wrong."""
    shifted = placed["board edge"].copy().apply_translation([0.2, 0, 0])
    thin = trimesh.creation.box([40, THINNEST_WALL - 0.05, 20])
    bridge = trimesh.creation.box([40, LONGEST_BRIDGE + 1, 20]).apply_translation([0, 0, 20])
    return [f"the checks do not find {name}" for name, is_found in {
        "a misplaced board": 0 < gap(placed["body"], shifted) < MARGIN - ROUNDING,
        "a part inside another": gap(thin, thin.copy().apply_scale(0.5)) <= 0,
        "a thin wall": thinnest_wall(thin) < THINNEST_WALL - ROUNDING,
        "a long bridge": longest_bridge(bridge) > LONGEST_BRIDGE,
        "a hole in the surface": not Trimesh(thin.vertices, thin.faces[1:]).is_volume,
    }.items() if not is_found]


def lay_on_bed(mesh: Trimesh, on_its_face: bool) -> Trimesh:
    """The part as it is printed."""
    laid = mesh.copy()
    if on_its_face:
        laid.apply_transform(trimesh.transformations.rotation_matrix(np.pi, [1, 0, 0]))
    laid.apply_translation(-laid.bounds[0])
    return laid


def write_3mf(file: Path, parts: dict[str, Trimesh], keys: list[list[float]]) -> None:
    """All printed parts of a handheld, assembled, each with its name. The body lies on the bed."""
    up = -parts["body"].bounds[0][2]
    places = [(name, name, [0.0, 0.0]) for name in ["body", "top", "door"]]
    places += [(f"cap {number}", "cap", key) for number, key in enumerate(keys)]
    scene = trimesh.Scene()
    scene.geometry.update({part: parts[part] for _, part, _ in places})
    for name, part, (x, y) in places:
        scene.graph.update(name, geometry=part, matrix=trimesh.transformations.translation_matrix([x, y, up]))
    scene.export(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, help="folder for one STL file for each printed part, and handheld.3mf")
    parser.add_argument("--items", type=Path, help="keep the STL files of all parts, assembled, for picture.py")
    arguments = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.items or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        parts, values = export(folder), echoed(folder)
    arguments.output.mkdir(parents=True, exist_ok=True)
    faults = []
    for name, on_its_face in PRINTED.items():
        laid = lay_on_bed(parts[name], on_its_face)
        faults += check_part(name, laid)
        laid.export(arguments.output / f"{name}.stl")
    write_3mf(arguments.output / "handheld.3mf", parts, values["keys"])
    placed = assemble(parts, values)
    faults += check_gaps(placed) + check_checks(placed)
    print(f"Finished in {time.monotonic() - started:.0f} s.")
    if faults:
        sys.exit("\n".join(["", *faults]))


if __name__ == "__main__":
    main()
