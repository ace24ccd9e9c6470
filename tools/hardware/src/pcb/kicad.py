"""KiCad's part of `cargo pcb --order`, without a window. Run by Debian's own python3, which has `pcbnew`.

    kicad.py fill BOARD JSON      fills the ground areas and writes their copper to JSON
    kicad.py make BOARD FOLDER    checks the rules, and writes gerbers and drill files; any finding is an error
"""
import json
import os
import sys

import pcbnew

LAYERS = {
    "F_Cu": pcbnew.F_Cu,
    "B_Cu": pcbnew.B_Cu,
    "F_Mask": pcbnew.F_Mask,
    "B_Mask": pcbnew.B_Mask,
    "F_Silkscreen": pcbnew.F_SilkS,
    "B_Silkscreen": pcbnew.B_SilkS,
    "B_Paste": pcbnew.B_Paste,
    "Edge_Cuts": pcbnew.Edge_Cuts,
}
# They change with every run and every computer.
NOT_KEPT = ("CreationDate", "G04 Created by KiCad", "; DRILL file", "; FORMAT={-:-/ absolute / metric / decimal} date")


def fill(board, path):
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pours = {}
    for zone in board.Zones():
        shapes = zone.GetFilledPolysList(zone.GetLayer())
        outlines = [shapes.Outline(index) for index in range(shapes.OutlineCount())]
        # Nanometres.
        pours[zone.GetLayerName()] = [
            [[line.CPoint(index).x, line.CPoint(index).y] for index in range(line.PointCount())] for line in outlines
        ]
    with open(path, "w") as file:
        json.dump(pours, file)


def check(board, folder):
    report = os.path.join(folder, "rule-check.txt")
    pcbnew.WriteDRCReport(board, report, pcbnew.EDA_UNITS_MILLIMETRES, True)
    with open(report) as file:
        text = file.read()
    found = [line for line in text.splitlines() if line.startswith("** Found")]
    if len(found) != 3 or not all(line.startswith("** Found 0 ") for line in found):
        sys.exit(text + "\nKiCad's rule check has findings.")
    for line in found:
        print(line.strip("* "))
    os.remove(report)


def plot(board, folder):
    controller = pcbnew.PLOT_CONTROLLER(board)
    options = controller.GetPlotOptions()
    options.SetOutputDirectory(folder)
    options.SetPlotFrameRef(False)
    options.SetUseGerberProtelExtensions(False)
    options.SetUseGerberX2format(True)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    # Vias are covered: nothing bare lies under the battery.
    options.SetPlotViaOnMaskLayer(False)
    options.SetDrillMarksType(pcbnew.PCB_PLOT_PARAMS.NO_DRILL_SHAPE)
    for name, layer in LAYERS.items():
        controller.SetLayer(layer)
        controller.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        controller.PlotLayer()
    controller.ClosePlot()
    holes = pcbnew.EXCELLON_WRITER(board)
    holes.SetOptions(False, False, pcbnew.wxPoint(0, 0), False)
    holes.SetFormat(True)
    holes.CreateDrillandMapFilesSet(folder, True, False)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with open(path) as file:
            lines = [line for line in file if not any(word in line for word in NOT_KEPT)]
        with open(path, "w") as file:
            file.writelines(lines)


def main():
    what, path, target = sys.argv[1:]
    board = pcbnew.LoadBoard(path)
    if what == "fill":
        fill(board, target)
    else:
        check(board, target)
        plot(board, target)


main()
