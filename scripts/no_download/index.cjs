/**
 * onnxruntime-node's install script would download CUDA libraries, and calls this before anything else. What the networks
 * run on is in the package already, so the script ends here (docs/decisions/0044-installation-and-packages.md).
 */
exports.bootstrap = () => process.exit(0);
