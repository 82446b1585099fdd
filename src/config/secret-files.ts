type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Settings that may be in a file, for example one from a vault. The variable `NAME_FILE` has the path. */
export const inFiles = [
  'REDIS_URL',
  'REDIS_SENTINEL_PASSWORD',
  'QUEUE_REDIS_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'WEBHOOK_PROXY_URL',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_CLIENT_SECRET',
] as const;

/** Reads the settings in files, trimmed. A problem names the file, and shows no content. */
export function readSecretFiles(
  given: EnvironmentVariables,
  read: (path: string) => string,
): {readonly settings: EnvironmentVariables; readonly problems: readonly string[]} {
  const settings: Record<string, string | undefined> = {...given};
  const problems: string[] = [];
  for (const name of inFiles) {
    const path = given[`${name}_FILE`]?.trim();
    if (!path) continue;
    if (given[name]?.trim()) {
      problems.push(`${name}_FILE: is set, and ${name} too; remove one of them.`);
      continue;
    }
    try {
      settings[name] = read(path).trim();
      if (settings[name] === '') problems.push(`${name}_FILE: ${path} is empty.`);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
      problems.push(`${name}_FILE: ${path} cannot be read (${code}).`);
    }
  }
  return {settings, problems};
}
