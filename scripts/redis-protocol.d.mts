export function sendToRedis(
  url: string,
  commands: readonly (readonly (string | number)[])[],
  timeoutMs?: number,
): Promise<(string | number | null)[]>;
