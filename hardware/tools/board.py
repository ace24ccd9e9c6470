"""Checks of the circuit board, and its lists for board houses. `hardware/make` calls it after KiCad's own exports.

    board.py filled BOARD.kicad_pcb                  the ground areas are filled as KiCad fills them now
    board.py lists POSITIONS.csv PARTS.csv FOLDER    writes the lists for assembly to FOLDER
    board.py gerbers BOARD.kicad_pcb FOLDER ZIP      compares the gerbers with the board, packs them into ZIP
    board.py checksums LIST SOURCE...                writes a checksum of each source to LIST

Needs KiCad's Python module `pcbnew`. `gerbers` reads the files with `gerbonara`, which shares no code with KiCad.
Any difference is an error.
"""

import collections
import csv
import math
import pathlib
import sys
import warnings
import zipfile
import zlib

# The finest track and the smallest hole that a cheap board house makes, in mm.
FINEST_TRACK = 0.15
SMALLEST_HOLE = 0.3


def filled(board_file: str) -> None:
    import pcbnew

    board = pcbnew.LoadBoard(board_file)
    areas = [zone for zone in board.Zones() if not zone.GetIsRuleArea()]

    def shapes() -> list[list[tuple[int, int]]]:
        filled = [zone.GetFilledPolysList(zone.GetFirstLayer()) for zone in areas]
        lines = [shape.Outline(index) for shape in filled for index in range(shape.OutlineCount())]
        return sorted([(point.x, point.y) for point in line.CPoints()] for line in lines)

    before = shapes()
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    if not areas or shapes() != before:
        sys.exit("The filled areas of the board are out of date. Open it in KiCad, press B, and save it.")
    print(f"{len(areas)} ground areas are filled and up to date")


def lists(positions: str, parts: str, folder: str) -> None:
    """The placement list and the parts list of JLCPCB, from KiCad's lists."""
    with open(parts, newline="") as file:
        fields = {row["Reference"]: row for row in csv.DictReader(file)}
    with open(positions, newline="") as file:
        placed = list(csv.DictReader(file))
    with open(pathlib.Path(folder, "placement-jlcpcb.csv"), "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["Designator", "Mid X", "Mid Y", "Layer", "Rotation"])
        for row in placed:
            if row["Side"] != "bottom":
                sys.exit(f"{row['Ref']} is not at the bottom: the rule for the rotation is for the bottom only")
            # JLCPCB counts the angle as seen from the bottom, and draws some parts in another direction than KiCad.
            angle = 180 - float(row["Rot"]) + float(fields[row["Ref"]]["Rotation JLCPCB"] or 0)
            table.writerow([row["Ref"], row["PosX"], row["PosY"], "bottom", f"{angle % 360:g}"])
    kinds: dict[tuple[str, ...], list[str]] = collections.defaultdict(list)
    for row in placed:
        part = fields[row["Ref"]]
        kinds[part["Value"], row["Package"], part["LCSC"], part["MPN"]].append(row["Ref"])
    with open(pathlib.Path(folder, "parts-jlcpcb.csv"), "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["Comment", "Designator", "Footprint", "LCSC Part #", "Manufacturer Part"])
        for (value, package, number, order), names in sorted(kinds.items()):
            table.writerow([value, ",".join(names), package, number, order])
    print(f"{len(placed)} parts of {len(kinds)} kinds for assembly")


def loops(outline) -> list[tuple[float, float]]:
    """Width and height of each closed line of the outline: pieces whose ends meet belong together."""
    from gerbonara.utils import MM

    groups: list[tuple[collections.Counter, list]] = []
    for piece in outline.objects:
        ends = [(round(piece.x1, 2), round(piece.y1, 2)), (round(piece.x2, 2), round(piece.y2, 2))]
        joined = (collections.Counter(ends), [piece])
        for group in [group for group in groups if any(end in group[0] for end in ends)]:
            groups.remove(group)
            joined[0].update(group[0])
            joined[1].extend(group[1])
        groups.append(joined)
    sizes = []
    for ends, pieces in groups:
        if any(count != 2 for count in ends.values()):
            sys.exit(f"the outline is open at {[end for end, count in ends.items() if count != 2]}")
        pen = pieces[0].aperture.diameter
        corners = [piece.bounding_box(MM) for piece in pieces]
        sizes.append(tuple(
            round(max(high[axis] for _, high in corners) - min(low[axis] for low, _ in corners) - pen, 2)
            for axis in (0, 1)
        ))
    return sizes


def of_board(board_file: str) -> dict[str, collections.Counter]:
    """What the gerbers should contain: sizes of holes and cut-outs, and the number of flat pads."""
    import pcbnew

    board = pcbnew.LoadBoard(board_file)
    mm = pcbnew.ToMM
    pads = [pad for part in board.GetFootprints() for pad in part.Pads()]

    def holes(plated: bool) -> list[float]:
        kind = pcbnew.PAD_ATTRIB_PTH if plated else pcbnew.PAD_ATTRIB_NPTH
        return [round(mm(pad.GetDrillSizeX()), 3) for pad in pads if pad.GetAttribute() == kind]

    vias = [round(mm(track.GetDrillValue()), 3) for track in board.GetTracks() if isinstance(track, pcbnew.PCB_VIA)]
    outline = pcbnew.SHAPE_POLY_SET()
    board.GetBoardPolygonOutlines(outline)
    shapes = [outline.Outline(0)] + [outline.Hole(0, index) for index in range(outline.HoleCount(0))]
    boxes = [shape.BBox() for shape in shapes]
    paste = [pad for pad in pads if pad.IsOnLayer(pcbnew.B_Paste) or pad.IsOnLayer(pcbnew.F_Paste)]
    return {
        "outline": collections.Counter((round(mm(box.GetWidth()), 2), round(mm(box.GetHeight()), 2)) for box in boxes),
        "plated holes": collections.Counter(holes(True) + vias),
        "bare holes": collections.Counter(holes(False)),
        "flat pads": collections.Counter(paste=len(paste)),
    }


def gerbers(board_file: str, folder: str, archive: str) -> None:
    from gerbonara import LayerStack
    from gerbonara.utils import MM

    warnings.simplefilter("ignore")
    stack = LayerStack.open(folder)

    def holes(layer) -> collections.Counter:
        return collections.Counter(round(hole.tool.diameter, 3) for hole in layer.drills())

    paste = [stack.graphic_layers.get((side, "paste")) for side in ("top", "bottom")]
    found = {
        "outline": collections.Counter(loops(stack.outline)),
        "plated holes": holes(stack.drill_pth),
        "bare holes": holes(stack.drill_npth),
        "flat pads": collections.Counter(paste=sum(len(layer.objects) for layer in paste if layer)),
    }
    wrong = []
    for what, expected in of_board(board_file).items():
        print(f"{what}: {dict(sorted(found[what].items()))}")
        if found[what] != expected:
            wrong.append(f"{what}: the board has {dict(sorted(expected.items()))}")
    wanted = {(side, kind) for side in ("top", "bottom") for kind in ("copper", "mask", "silk")}
    if missing := wanted - set(stack.graphic_layers):
        wrong.append(f"layers are missing: {missing}")
    for side in ("top", "bottom"):
        lines = [thing for thing in stack.graphic_layers[side, "copper"].objects if type(thing).__name__ == "Line"]
        finest = min(thing.aperture.equivalent_width(MM) for thing in lines)
        print(f"{side}: {len(lines)} tracks, the finest has {finest:.3f} mm")
        if finest < FINEST_TRACK - 0.001:
            wrong.append(f"{side}: a track of {finest:.3f} mm")
    smallest = min(found["plated holes"])
    if smallest < SMALLEST_HOLE or not math.isfinite(smallest):
        wrong.append(f"a hole of {smallest} mm")
    if wrong:
        sys.exit("The gerbers are wrong:\n" + "\n".join(wrong))
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(pathlib.Path(folder).iterdir()):
            # With a fixed date, so that the same files give the same archive.
            packed.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)


def checksums(file: str, *sources: str) -> None:
    lines = [f"{zlib.crc32(pathlib.Path(source).read_bytes()):08x} {source}" for source in sorted(sources)]
    header = "# Written by hardware/make: the checksum (CRC-32) of each source."
    pathlib.Path(file).write_text("\n".join([header, *lines, ""]))


COMMANDS = {"filled": filled, "lists": lists, "gerbers": gerbers, "checksums": checksums}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](*sys.argv[2:])
