import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {createServiceContender} from '../arms.js';
import type {Arm} from '../method.js';
import type {BenchRow} from '../row.js';
import type {Bench} from '../stage.js';

const work = 'POST, everything on, CPU of the process';

/** Compares a POST without traces with one of which every hundredth, and every one, is traced. */
export const traces: BenchRow = {
  service: createServiceContender,
  peers: (bench) => [
    createTracedContender(bench, 'itself, 1 % traced', '0.01'),
    createTracedContender(bench, 'itself, 100 % traced', '1'),
  ],
  figures: ['itself, 1 % traced', 'itself, 100 % traced'].map((against) => ({
    metric: 'cpu',
    work,
    unit: 'µs',
    against,
  })),
};

/** The collector takes all spans, in the process of the bench, whose CPU does not count. */
function createTracedContender(bench: Bench, name: string, share: string): Arm {
  return {
    name,
    async open(closings) {
      const collector = createServer((request, response) => {
        request.resume().on('end', () => response.end('{}'));
      });
      await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
      closings.defer(() => {
        collector.close();
        collector.closeAllConnections();
      });
      const env = {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: share,
      };
      return createServiceContender(bench, bench.build, {name, env}).open(closings);
    },
  };
}
