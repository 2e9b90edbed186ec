import { LauncherError } from "../errors.ts";

/** `/admin/v2/persistent/tenant/namespace/topic` of a topic, whose name may be short (`my-topic`, `tenant/namespace/topic`). */
export function topicPath(topic: string): string {
  const match = /^(?:(persistent|non-persistent):\/\/)?(?:([^/]+)\/([^/]+)\/)?(.+)$/su.exec(topic);
  const name = match?.[4];
  if (name === undefined || (match?.[2] === undefined && name.includes("/"))) {
    throw new LauncherError("INVALID_OPTION", `"${topic}" is not the name of a topic`);
  }
  const parts = [match?.[1] ?? "persistent", match?.[2] ?? "public", match?.[3] ?? "default", name];
  return `/admin/v2/${parts.map(encodeURIComponent).join("/")}`;
}

/** `/admin/v2/namespaces/tenant/namespace`. */
export function namespacePath(namespace: string): string {
  const parts = namespace.split("/");
  if (parts.length !== 2 || parts.includes("")) {
    throw new LauncherError("INVALID_OPTION", `"${namespace}" is not the name of a namespace (tenant/namespace)`);
  }
  return `/admin/v2/namespaces/${parts.map(encodeURIComponent).join("/")}`;
}
