import {createEmulator} from 'emulate';

/** An emulated Slack with one channel, two people and the bot of `TOKEN`. It sends its address to its parent. */
const bot = {app_id: 'A1', bot_id: 'B1'};
const slack = await createEmulator({
  service: 'slack',
  port: 0,
  hostname: '127.0.0.1',
  seed: {
    slack: {
      users: [{name: 'ada'}, {name: 'grace'}],
      oauth_apps: [
        {
          ...bot,
          client_id: 'c1',
          client_secret: 's1',
          name: 'Standup',
          redirect_uris: [],
          bot_user_id: 'UBOT',
          bot_name: 'standup',
        },
      ],
      tokens: [
        {
          ...bot,
          token: process.env['TOKEN'] ?? '',
          type: 'bot',
          user_id: 'UBOT',
          scopes: (process.env['SCOPES'] ?? '').split(','),
        },
      ],
    },
  },
});
process.on('message', () => process.send?.(slack.url));
