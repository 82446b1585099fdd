// The tools, resources and prompts that the conformance suite asks each server for, beside those of the product.
// They show that the mount, the checks and the library carry every kind of content and of error.
import {
  type CallToolResult,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type {Json} from '../support/service.js';

/** A PNG of one pixel, and a WAV file without samples. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const text = (said: string) => ({type: 'text', text: said}) as const;
const image = {type: 'image', data: png, mimeType: 'image/png'} as const;
const embed = (uri: string, mimeType: string, content: string) =>
  ({type: 'resource', resource: {uri, mimeType, text: content}}) as const;

type Work = (given: Json, context: ServerContext) => CallToolResult | Promise<CallToolResult>;

const tools: Readonly<Record<string, Work>> = {
  test_simple_text: () => ({content: [text('This is a simple text response for testing.')]}),
  test_image_content: () => ({content: [image]}),
  test_audio_content: () => ({content: [{type: 'audio', data: wav, mimeType: 'audio/wav'}]}),
  test_embedded_resource: () => ({
    content: [embed('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embed('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  async test_tool_with_progress(_, {mcpReq}) {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: {progressToken: progressToken ?? '', progress, total: 100},
      });
    return {content: [text('Done.')]};
  },
};

const resources: Readonly<Record<string, ReadResourceResult['contents'][number]>> = {
  'test://static-text': {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': {uri: 'test://static-binary', mimeType: 'image/png', blob: png},
  'test://template/123/data': {
    uri: 'test://template/123/data',
    mimeType: 'application/json',
    text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}',
  },
};

const say = (content: Json) => ({role: 'user', content}) as const;

const prompts: Readonly<Record<string, {takes: readonly string[]; write: (given: Json) => Json[]}>> = {
  test_simple_prompt: {takes: [], write: () => [say(text('This is a simple prompt for testing.'))]},
  test_prompt_with_arguments: {
    takes: ['arg1', 'arg2'],
    write: ({arg1, arg2}) => [say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  test_prompt_with_embedded_resource: {
    takes: ['resourceUri'],
    write: ({resourceUri}) => [
      say(embed(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      say(text('Please process the embedded resource above.')),
    ],
  },
  test_prompt_with_image: {
    takes: [],
    write: () => [say(image), say(text('Please analyze the image above.'))],
  },
};

type Handle = (request: Json, context: ServerContext) => Promise<Json>;

/** Adds the fixtures to the product's lists. Its own handlers answer for everything else. */
export function addSuiteFixtures(server: Server): void {
  const {_requestHandlers: known} = server as unknown as {_requestHandlers: ReadonlyMap<string, Handle>};
  const own = (method: string): Handle => known.get(method) as Handle;
  const extend = (method: string, list: string, rows: readonly Json[]) => {
    const listOwn = own(method);
    server.setRequestHandler(method as 'tools/list', async (request, context) => {
      const listed = await listOwn(request, context);
      return {...listed, [list]: [...listed[list], ...rows]};
    });
  };
  extend(
    'tools/list',
    'tools',
    Object.keys(tools).map((name) => ({name, description: 'For the suite.', inputSchema: {type: 'object'}})),
  );
  extend(
    'resources/list',
    'resources',
    Object.values(resources).map(({uri, mimeType}) => ({
      uri,
      name: uri,
      description: 'For the suite.',
      mimeType,
    })),
  );
  extend(
    'prompts/list',
    'prompts',
    Object.entries(prompts).map(([name, {takes}]) => ({
      name,
      description: 'For the suite.',
      arguments: takes.map((argument) => ({name: argument, description: 'For the suite.', required: true})),
    })),
  );

  const [callOwn, readOwn, getOwn] = [own('tools/call'), own('resources/read'), own('prompts/get')];
  server.setRequestHandler('tools/call', async (request, context) => {
    const {name, arguments: given} = request.params;
    return (await tools[name]?.(given, context)) ?? callOwn(request, context);
  });
  server.setRequestHandler('resources/read', async (request, context) => {
    const found = resources[request.params.uri];
    return found === undefined ? readOwn(request, context) : {contents: [found]};
  });
  server.setRequestHandler('prompts/get', async (request, context) => {
    const {name, arguments: given} = request.params;
    const prompt = prompts[name];
    return prompt === undefined ? getOwn(request, context) : {messages: prompt.write(given)};
  });
  server.registerCapabilities({completions: {}});
  server.setRequestHandler('completion/complete', () => ({
    completion: {values: [], total: 0, hasMore: false},
  }));
}
