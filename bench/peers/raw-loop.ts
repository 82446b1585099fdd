import {Agent} from 'undici';

/**
 * The ceiling of deliveries: `undici` in a loop sends the same bodies over as many connections as the
 * service.
 */
const connectionsPerReceiver = 16;
const agent = new Agent({connections: connectionsPerReceiver, pipelining: 1});

interface RawLoopCommand {
  readonly urls: readonly string[];
  readonly body: string;
  readonly perReceiver: number;
}

async function sendBodiesToReceivers({urls, body, perReceiver}: RawLoopCommand): Promise<void> {
  await Promise.all(
    urls.map(async (url) => {
      const {origin, pathname: path} = new URL(url);
      let left = perReceiver;
      const worker = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          const answer = await agent.request({
            origin,
            path,
            method: 'POST',
            body,
            headers: {'content-type': 'application/json'},
          });
          await answer.body.dump();
        }
      };
      await Promise.all(Array.from({length: connectionsPerReceiver}, worker));
    }),
  );
}

process.on('message', (order: RawLoopCommand) => {
  sendBodiesToReceivers(order).then(
    () => process.send?.('done'),
    () => process.exit(1),
  );
});
