// SPDX-License-Identifier: GPL-3.0-or-later
// The visible span, common to all pictures.

class View {
  constructor(clock) {
    this.clock = clock;
    this.reset();
  }
  reset() {
    this.from = 0;
    this.to = Math.max(1, this.clock.end);
  }
  set(from, to) {
    const length = Math.min(Math.max(to - from, 10 * SECOND), Math.max(1, this.clock.end));
    const middle = (from + to) / 2;
    this.from = Math.min(Math.max(middle - length / 2, 0), Math.max(0, this.clock.end - length));
    this.to = this.from + length;
  }
  zoom(factor, at = (this.from + this.to) / 2) {
    this.set(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }
  pan(ms) {
    const length = this.to - this.from;
    this.from = Math.min(Math.max(this.from + ms, 0), Math.max(0, this.clock.end - length));
    this.to = this.from + length;
  }
}
