/**
 * Runs something that must not take longer than `milliseconds`. What is late is told so by the signal, and
 * its answer is of no interest any more.
 */
export async function within<T>(
  milliseconds: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no answer within ${milliseconds} ms`);
      reject(error);
      controller.abort(error);
    }, milliseconds);
  });
  const running = run(controller.signal);
  running.catch(() => undefined);
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
