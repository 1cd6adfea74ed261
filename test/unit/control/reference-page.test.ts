import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { jumpToOperation, resolveInPage } from '../../../src/control/server/reference/page-plugins.js';

const document = {
  paths: {
    '/v1/calls': {
      post: {
        requestBody: { $ref: '#/components/schemas/Order', description: 'The order.' },
        responses: [{ $ref: '#/components/schemas/a~1b' }],
      },
      get: { parameters: [{ $ref: '#/components/schemas/Missing' }, 'text', null] },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        description: 'Replaced.',
        properties: { node: { $ref: '#/components/schemas/Node' } },
      },
      Node: { properties: { child: { $ref: '#/components/schemas/Node' } } },
      'a/b': { const: 1 },
    },
  },
};

/** As a browser has it: from its text, with nothing of this process. */
function inPage(): ReturnType<typeof resolveInPage>['fn']['resolveSubtree'] {
  const plugin = runInNewContext(`(${resolveInPage.toString()})()`) as ReturnType<typeof resolveInPage>;
  return plugin.fn.resolveSubtree;
}

it('the page resolves the references of one operation, and what stands beside them', async () => {
  const { spec, errors } = await inPage()(document, ['paths', '/v1/calls', 'post']);
  expect(spec).toEqual({
    requestBody: {
      type: 'object',
      description: 'The order.',
      properties: { node: { properties: { child: { $ref: '#/components/schemas/Node' } } } },
    },
    responses: [{ const: 1 }],
  });
  expect(errors).toEqual([]);
});

it('the page leaves what has no target empty, and all that is no reference as it is', async () => {
  const { spec } = await inPage()(document, ['paths', '/v1/calls', 'get']);
  expect(spec).toEqual({ parameters: [{}, 'text', null] });
  expect((await inPage()(document, ['paths', '/none'])).spec).toBeUndefined();
});

it('the page jumps to the operation of its address, and moves no more', () => {
  const { statePlugins } = runInNewContext(`(${jumpToOperation.toString()})()`) as ReturnType<
    typeof jumpToOperation
  >;
  const scrollIntoView = vi.fn();
  statePlugins.layout.actions.scrollToElement({ scrollIntoView })();
  // With an argument it may glide.
  expect(scrollIntoView.mock.calls).toEqual([[]]);
});
