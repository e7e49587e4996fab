import { holdPort } from '../../../test/support/faults/held.port';
import { sandboxPort } from './demo-sandbox';

describe("the sandbox's port", () => {
  it("is a hundred above the demo's, so that a bookmark of the handset lasts", async () => {
    const holder = await holdPort();
    holder.close();
    expect(await sandboxPort(Number(holder.port) - 100)).toBe(Number(holder.port));
  });

  it('is any while another program has that one', async () => {
    const holder = await holdPort();
    expect(await sandboxPort(Number(holder.port) - 100)).toBe(0);
    holder.close();
  });

  it.each([0, 65_500])('is any for a demo at %i', async (port) => {
    expect(await sandboxPort(port)).toBe(0);
  });
});
