// The arena's floor: plates, light, marks and the walls' shadow, painted once for a size.

function floorPicture(view) {
  const { width, height } = view;
  return picture(`floor ${width} ${height} ${view.rim}`, canvas.width, canvas.height, g => {
    g.fillStyle = colors.night;
    g.fillRect(0, 0, canvas.width, canvas.height);
    g.translate(view.rim, view.rim);
    g.save();
    g.beginPath();
    g.rect(0, 0, width, height);
    g.clip();
    paintPlates(g, width, height, view.scale);
    paintHomes(g, width, height, view.scale);
    const [side, strength] = look.floor.side, [middle, brightness] = look.floor.middle;
    drawLight(g, "glow", colors.left, 0, height / 2, width * side, strength);
    drawLight(g, "glow", colors.right, width, height / 2, width * side, strength);
    drawLight(g, "glow", colors.wall, width / 2, height / 2, width * middle, brightness);
    paintLines(g, width, height, view.scale);
    paintShade(g, width, height);
    g.strokeStyle = look.floor.rim;
    g.lineWidth = Math.max(1, view.scale);
    g.strokeRect(3 * view.scale, 3 * view.scale, width - 6 * view.scale, height - 6 * view.scale);
    g.restore();
    g.strokeStyle = colors.wall;
    g.lineWidth = view.rim;
    g.beginPath();
    g.roundRect(-view.rim / 2, -view.rim / 2, width + view.rim, height + view.rim, 3 * view.scale);
    g.stroke();
  });
}

function paintPlates(g, width, height, scale) {
  const { cells, plates } = look.floor, thin = Math.max(1, scale);
  const wide = width / cells, high = height / cells;
  plates.forEach(([plate, lit], number) => {
    const x = Math.floor(number / cells) * wide, y = (number % cells) * high;
    g.fillStyle = plate;
    g.fillRect(x, y, wide + 1, high + 1);
    g.fillStyle = lit;
    g.fillRect(x + thin, y + thin, wide - 3 * thin, thin);
    g.fillRect(x + thin, y + thin, thin, high - 3 * thin);
  });
}

function paintLines(g, width, height, scale) {
  const { cells, rings, ticks, corner } = look.floor;
  g.lineWidth = Math.max(1, scale);
  g.strokeStyle = look.floor.seam;
  for (let number = 1; number < cells; number++) {
    const x = width * number / cells, y = height * number / cells;
    tracePoints(g, [x, 0, x, height]);
    g.stroke();
    tracePoints(g, [0, y, width, y]);
    g.stroke();
  }
  g.strokeStyle = look.floor.mark;
  for (const share of rings) {
    g.beginPath();
    g.arc(width / 2, height / 2, height * share, 0, TAU);
    g.stroke();
  }
  for (let number = 0; number < ticks; number++) {
    const [ux, uy] = direction(number * 360 / ticks), far = height * rings[0], near = far * (number % 4 ? 0.955 : 0.92);
    tracePoints(g, [width / 2 + ux * near, height / 2 + uy * near, width / 2 + ux * far, height / 2 + uy * far]);
    g.stroke();
  }
  const arm = width * corner, inset = 14 * scale;
  g.lineWidth = Math.max(1, 2 * scale);
  for (const [x, sx] of [[inset, 1], [width - inset, -1]]) {
    for (const [y, sy] of [[inset, 1], [height - inset, -1]]) {
      tracePoints(g, [x + sx * arm, y, x, y, x, y + sy * arm]);
      g.stroke();
    }
  }
}

function paintHomes(g, width, height, scale) {
  const [size, places, paints] = look.floor.home, reach = width * size, y = height / 2;
  g.lineWidth = Math.max(1, 2 * scale);
  for (const seat of [0, 1]) {
    const facing = seat ? -1 : 1, x = width * places[seat];
    g.strokeStyle = paints[seat];
    if (seat) tracePoints(g, [x - reach, y, x, y - reach, x + reach, y, x, y + reach], true);
    else {
      g.beginPath();
      g.arc(x, y, reach, 0, TAU);
    }
    g.stroke();
    look.floor.chevrons[seat].forEach((paint, number) => {
      const tip = x + facing * reach * (1.75 + 0.55 * number), back = tip - facing * reach * 0.45;
      g.strokeStyle = paint;
      tracePoints(g, [back, y - reach / 2, tip, y, back, y + reach / 2]);
      g.stroke();
    });
  }
}

/** Darken the floor towards the walls: a small picture of the shadow, made large smoothly. */
function paintShade(g, width, height) {
  const { shade } = look.floor, half = shade.length - 1, side = 2 * half + 1;
  const small = picture("shade", side, side, own => {
    const pixels = own.createImageData(side, side);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) pixels.data[4 * (y * side + x) + 3] = 255 * shade[Math.abs(y - half)][Math.abs(x - half)];
    }
    own.putImageData(pixels, 0, 0);
  });
  g.imageSmoothingQuality = "high";
  g.drawImage(small, 0.5, 0.5, side - 1, side - 1, 0, 0, width, height);
}
