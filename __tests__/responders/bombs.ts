import zlib from "node:zlib";

const block = 1024 * 1024;

async function createBrotliParts(): Promise<{ first: Buffer; next: Buffer }> {
  const compressor = zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } });
  const parts: Buffer[] = [];
  for (let part = 0; part < 2; part += 1) {
    compressor.write(Buffer.alloc(block, "1"));
    await new Promise<void>((resolve) => compressor.flush(resolve));
    parts.push(compressor.read() as Buffer);
  }
  compressor.destroy();
  return { first: parts[0]!, next: parts[1]! };
}

/** A frame of blocks of 128 KiB that repeat one byte; 8 MiB of window. */
function createZstdBomb(bytes: number): Buffer {
  const blockSize = 131_072;
  const count = bytes / blockSize;
  const blockHeader = (isLast: boolean): number => (blockSize << 3) | (1 << 1) | Number(isLast);
  const bomb = Buffer.alloc(6 + count * 4);
  bomb.set([0x28, 0xb5, 0x2f, 0xfd, 0, (23 - 10) << 3]);
  for (let index = 0; index < count; index += 1) {
    bomb.writeUIntLE(blockHeader(index === count - 1), 6 + index * 4, 3);
    bomb.write("1", 6 + index * 4 + 3);
  }
  return bomb;
}

/** For each coding, a few bytes that are this many when decompressed: a number of so many ones, which could begin JSON. */
export async function createBombs(bytes: number): Promise<Record<string, Buffer>> {
  const count = bytes / block;
  const brotli = await createBrotliParts();
  return {
    gzip: Buffer.concat(Array<Buffer>(count).fill(zlib.gzipSync(Buffer.alloc(block, "1")))),
    br: Buffer.concat([brotli.first, ...Array<Buffer>(count - 1).fill(brotli.next), Buffer.of(3)]),
    zstd: createZstdBomb(bytes),
  };
}
