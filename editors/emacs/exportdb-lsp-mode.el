;;; exportdb-lsp-mode.el --- torch.export findings in Emacs, through lsp-mode -*- lexical-binding: t -*-

;; Put this folder on `load-path' and (require 'exportdb-lsp-mode) into init.el. It runs beside a type checker.

;;; Code:

(require 'lsp-mode)

(defgroup exportdb nil
  "What torch.export makes of PyTorch models."
  :group 'lsp-mode)

(defcustom exportdb-command '("exportdb-lsp" "--stdio")
  "How to start the server."
  :type '(repeat string)
  :group 'exportdb)

(defcustom exportdb-export-mode "non-strict"
  "The export mode that findings are for."
  :type '(choice (const "non-strict") (const "strict") (const "both"))
  :group 'exportdb)

(defcustom exportdb-trusted nil
  "Whether what you open may be run without a command: exports on save, the interpreter that a project names."
  :type 'boolean
  :group 'exportdb)

(lsp-register-custom-settings '(("exportdb.mode" exportdb-export-mode)))

(defun exportdb-export ()
  "Really export the models of this buffer; the verdicts appear on their lines."
  (interactive)
  (lsp-request-async
   "workspace/executeCommand"
   (list :command "exportdb.export" :arguments (vector (list :uri (lsp--buffer-uri))))
   (lambda (answer)
     (mapc (lambda (result)
             (message "%s (%s): %s. %s" (lsp-get result :target) (lsp-get result :mode)
                      (lsp-get result :outcome) (lsp-get result :message)))
           (lsp-get answer :results)))
   :error-handler (lambda (err) (message "Export: %s" (lsp-get err :message)))
   :mode 'detached))

(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection (lambda () exportdb-command))
                  :activation-fn (lsp-activate-on "python")
                  :server-id 'exportdb
                  :initialization-options (lambda () (when exportdb-trusted '(:trusted t)))
                  :initialized-fn (lambda (workspace)
                                    (with-lsp-workspace workspace
                                      (lsp--set-configuration (lsp-configuration-section "exportdb"))))
                  :add-on? t))

(provide 'exportdb-lsp-mode)
;;; exportdb-lsp-mode.el ends here
