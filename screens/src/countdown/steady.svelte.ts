// The page's steady clock as something that can be shown: it counts on in small steps while somebody looks.

const STEP_MS = 100;

class Steady {
  now = $state(performance.now());

  constructor() {
    setInterval(() => (this.now = performance.now()), STEP_MS);
  }
}

export const steady = new Steady();
