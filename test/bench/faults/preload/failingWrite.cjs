// Loaded into the engine: the write whose number FAILING_WRITE says, counted over all files of the store, fails as on a broken disk, and so does every later
// one for as long as the process lives.
const fs = require('node:fs/promises');
const { sep } = require('node:path');

let left = Number(process.env.FAILING_WRITE ?? Infinity);
const open = fs.open;
fs.open = async (file, ...rest) => {
  const handle = await open(file, ...rest);
  if (!String(file).includes(`${sep}.benchside${sep}`)) return handle;
  const write = handle.write.bind(handle);
  handle.write = async (...content) => {
    left -= 1;
    if (left <= 0) throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
    return write(...content);
  };
  return handle;
};
