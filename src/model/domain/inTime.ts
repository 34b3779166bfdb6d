/** What `work` gives; after so long without it, what `late` gives, which may throw. Nobody hears of a failure that comes later still. */
export async function inTime<Value, Late>(ms: number, work: Promise<Value>, late: () => Late | Promise<Late>): Promise<Value | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
