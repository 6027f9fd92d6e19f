// The page's steady clock as something that can be shown: it counts on in steps of a second.

const STEP_MS = 1000;

class Steady {
  now = $state(performance.now());

  constructor() {
    setInterval(() => (this.now = performance.now()), STEP_MS);
  }
}

export const steady = new Steady();
