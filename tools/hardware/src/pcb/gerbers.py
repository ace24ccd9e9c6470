"""Checks the gerbers with `gerbonara`, draws both sides from them, and makes the archive to upload.

    gerbers.py FOLDER FACTS FRONT.svg BACK.svg ZIP

FACTS is a JSON file with the expected properties of the board. Any difference is an error.
"""
import collections
import json
import math
import pathlib
import re
import sys
import warnings
import zipfile

from gerbonara import LayerStack
from gerbonara.utils import MM

warnings.simplefilter("ignore")

COLOURS = {
    "copper": "#d8b25cff",
    "silk": "#f5f5f0ff",
    "mask": "#0b3a2ae0",
    "paste": "#00000000",
    "drill": "#101512ff",
    "outline": "#101512ff",
}
wrong = []


def expect(what, found, wanted):
    print(f"{what}: {found}")
    if found != wanted:
        wrong.append(f"{what}: {found}, not {wanted}")


def loops(outline):
    """The closed lines of the outline, each by the box around it: pieces whose ends meet belong together."""
    groups = []
    for piece in outline.objects:
        ends = [(round(piece.x1, 2), round(piece.y1, 2)), (round(piece.x2, 2), round(piece.y2, 2))]
        joined = (collections.Counter(ends), [piece])
        for group in [group for group in groups if any(end in group[0] for end in ends)]:
            groups.remove(group)
            joined[0].update(group[0])
            joined[1].extend(group[1])
        groups.append(joined)
    boxes = []
    for ends, pieces in groups:
        if any(count != 2 for count in ends.values()):
            wrong.append(f"the outline is open at {[end for end, count in ends.items() if count != 2]}")
        # Half of the pen's width is on either side of the line.
        pen = pieces[0].aperture.diameter / 2
        corners = [piece.bounding_box(MM) for piece in pieces]
        left, bottom = (min(low[axis] for low, _ in corners) + pen for axis in (0, 1))
        right, top = (max(high[axis] for _, high in corners) - pen for axis in (0, 1))
        radius = max(math.hypot(piece.cx, piece.cy) for piece in pieces if type(piece).__name__ == "Arc")
        boxes.append((left, bottom, right - left, top - bottom, radius))
    return boxes


def holes(layer):
    counts = collections.Counter(f"{hole.tool.diameter:.2f}" for hole in layer.drills())
    return dict(sorted(counts.items()))


def picture(stack, boxes, side, path):
    """gerbonara's drawing, with milled holes as open and as dark as drilled ones, and nothing around the board."""
    def rounded(left, bottom, width, height, radius):
        arc, w, h = f"a{radius} {radius} 0 0 1", width - 2 * radius, height - 2 * radius
        return (
            f"M{left} {bottom + radius} {arc} {radius} {-radius} h{w} {arc} {radius} {radius} v{h} "
            f"{arc} {-radius} {radius} h{-w} {arc} {-radius} {-radius} z"
        )

    svg = str(stack.to_pretty_svg(side=side, colors=COLOURS)).replace('style="background-color:white"', "")
    outline = " ".join(rounded(*box) for box in boxes)
    svg = re.sub(r'id="outline-path" d="[^"]*"', f'fill-rule="evenodd" d="{outline}"', svg)
    svg = re.sub(r'<g id="l-mechanical-outline".*?</g>', "", svg, flags=re.DOTALL)
    left, bottom, width, height, radius = max(boxes, key=lambda box: box[2])
    dark = COLOURS["drill"][:7]
    behind = f'<rect x="{left}" y="{bottom}" width="{width}" height="{height}" rx="{radius}" fill="{dark}"/>'
    with open(path, "w") as file:
        file.write(svg.replace("</defs>", "</defs>" + behind, 1))


def main():
    folder, facts, front, back, archive = sys.argv[1:]
    with open(facts) as file:
        facts = json.load(file)
    stack = LayerStack.open(folder)
    layers = sorted(" ".join(name) for name in stack.graphic_layers)
    expect("layers", layers, facts["layers"])
    boxes = loops(stack.outline)
    sizes = collections.Counter((round(width, 1), round(height, 1)) for _, _, width, height, _ in boxes)
    expect("outline", [[*size, count] for size, count in sorted(sizes.items())], facts["outline"])
    expect("plated holes", holes(stack.drill_pth), facts["plated"])
    expect("bare holes", holes(stack.drill_npth), facts["bare"])
    paste = stack.graphic_layers["bottom", "paste"]
    expect("flat pads", len(paste.objects), facts["flat_pads"])
    for side in ("top", "bottom"):
        copper = stack.graphic_layers[side, "copper"]
        widths = [thing.aperture.equivalent_width(MM) for thing in copper.objects if type(thing).__name__ == "Line"]
        finest = round(min(widths), 3)
        print(f"{side}: {len(widths)} tracks, finest {finest} mm")
        if finest < facts["finest"]:
            wrong.append(f"{side}: a track of {finest} mm")
    picture(stack, boxes, "top", front)
    picture(stack, boxes, "bottom", back)
    if wrong:
        sys.exit("\n".join(wrong))
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(pathlib.Path(folder).glob("*.gbr")) + sorted(pathlib.Path(folder).glob("*.drl")):
            packed.write(file, file.name)


main()
