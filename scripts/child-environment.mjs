// The environment of what the commands start: pnpm on the search path, nothing of the npm that may have started us.
import { delimiter } from "node:path";

// npm hands its whole configuration down as npm_config_*; pnpm and a nested npm would obey settings such as a prefix, a
// workspace or `omit` that were meant for the outer command. How to reach the network stays as the user has set it.
const networkSettings =
  /^npm_config_(@.*|\/\/.*|registry|.*proxy|ca|cafile|cert|key|strict[-_]ssl|userconfig|globalconfig|fetch[-_].*|maxsockets)$/i;

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string | undefined} pnpmFolder folder of the pnpm executable, put first on the search path
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnvironment(env, pnpmFolder) {
  const result = {};
  for (const [name, value] of Object.entries(env)) {
    // npm sets noproxy to nothing; some tools read that as a setting.
    if (/^npm_/i.test(name) && (value === "" || !networkSettings.test(name))) continue;
    // With NODE_ENV=production an install leaves out what the build needs.
    if (name === "INIT_CWD" || name === "NODE_ENV") continue;
    result[name] = value;
  }
  const pathName = Object.keys(result).find((name) => name.toLowerCase() === "path") ?? "PATH";
  // npm has put the node_modules/.bin of every folder above in front; a pnpm or turbo there may be another's.
  const folders = (result[pathName] ?? "").split(delimiter).filter((folder) => !isOfNpm(folder));
  result[pathName] = [...(pnpmFolder === undefined ? [] : [pnpmFolder]), ...folders].join(delimiter);
  result.TURBO_TELEMETRY_DISABLED = "1";
  result.TURBO_NO_UPDATE_NOTIFIER = "1";
  result.DO_NOT_TRACK ??= "1";
  return result;
}

function isOfNpm(folder) {
  return /[\\/]node_modules[\\/]\.bin$|[\\/]node-gyp-bin$/.test(folder);
}
