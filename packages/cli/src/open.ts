import type {Outside} from './outside.js';
import {defaultProfile, parseAddress, readProfile} from './settings.js';
import {CommandError} from './errors.js';

/** Opens the dashboard in a browser, and prints its address. */
export async function openDashboard(outside: Outside, profile: string | undefined): Promise<void> {
  const url = outside.env['STANDUP_URL'] ?? readProfile(outside, profile ?? defaultProfile).url;
  if (!url) throw new CommandError('signIn', 'Sign in first: standup login https://standup.example.com');
  const address = `${parseAddress(url)}/app`;
  outside.print(`${address}\n`);
  if (outside.isInteractive) await openInBrowser(outside, address);
}

/** Opens an address of http or https. The address is one argument, and no shell reads it. */
export async function openInBrowser({run, env}: Outside, address: string): Promise<boolean> {
  if (!/^https?:\/\//.test(address)) return false;
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : [env['BROWSER'] || 'xdg-open'];
  const {code} = await run(program ?? '', [...args, address], {inBackground: true});
  return code === 0;
}
