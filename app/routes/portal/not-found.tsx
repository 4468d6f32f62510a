/** Answers every unknown URL. */
export const loader = () => {
  throw new Response(null, { status: 404, statusText: "Not Found" });
};

const NotFound = () => null;

export default NotFound;
