/** Runs in the page before anything else: notes when the picture's element was there for two animation frames. */
export function probeScript(present: string): string {
  return `window.benchProbe = {
    from: 0,
    firstPictureMs: null,
    restart() {
      this.from = performance.now();
      this.firstPictureMs = null;
    },
    present() {
      try {
        return ${present};
      } catch {
        return false;
      }
    },
    look() {
      requestAnimationFrame(() => {
        if (!this.present()) return void this.look();
        requestAnimationFrame(() => requestAnimationFrame(() => (this.firstPictureMs = performance.now() - this.from)));
      });
    },
    /** Milliseconds from the trigger until what it leads to was there for two animation frames. */
    switchView(trigger, isThere) {
      const start = performance.now();
      return new Promise((resolve) => {
        trigger();
        const again = () =>
          requestAnimationFrame(() => {
            let there = false;
            try {
              there = isThere();
            } catch {}
            if (there) requestAnimationFrame(() => resolve(performance.now() - start));
            else again();
          });
        again();
      });
    },
  };
  window.benchProbe.look();`;
}
