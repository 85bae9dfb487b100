// Lives in the same process as the extension under test, and writes down every address that this process connects to.
const { appendFileSync } = require('node:fs');
const { Socket } = require('node:net');

exports.activate = () => {
  const target = process.env.COUNTERSIGN_WITNESS;
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...args) {
    const [options] = Array.isArray(args[0]) ? args[0] : args;
    const { host = 'localhost', port, path } = typeof options === 'object' && options !== null ? options : { port: options };
    appendFileSync(target, `${path === undefined ? `${host}:${port}` : path}\n`);
    return connect.apply(this, args);
  };
  appendFileSync(target, 'watching\n');
};
